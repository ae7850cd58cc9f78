"""The effective settings as text, in the form of the TOML file that would set them, secrets hidden."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, SecretStr

HIDDEN: Final = "***"


def effective(settings: BaseModel) -> str:
    """Every setting with its value; secrets as `***`; what is unset as a comment."""
    return "\n".join(_table(settings, ())).strip() + "\n"


def _table(section: BaseModel, path: tuple[str, ...]) -> Iterator[str]:
    fields = [(name, getattr(section, name)) for name in type(section).model_fields]
    tables = [(name, value) for name, value in fields if _holds_tables(value)]
    values = [(name, value) for name, value in fields if not _holds_tables(value)]
    if path and values:
        yield f"\n[{'.'.join(path)}]"
    for name, value in values:
        yield f"# {name} is not set" if value is None else f"{name} = {_value(value)}"
    for name, value in tables:
        named = (
            {(): value} if isinstance(value, BaseModel) else {(json.dumps(key),): value[key] for key in value}
        )
        for key, table in named.items():
            yield from _table(table, (*path, name, *key))


def _holds_tables(value: Any) -> bool:
    if isinstance(value, dict):
        return any(isinstance(item, BaseModel) for item in value.values())
    return isinstance(value, BaseModel)


def _value(value: Any) -> str:
    if isinstance(value, SecretStr):
        return json.dumps(HIDDEN)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_value(item)}' for key, item in value.items())}}}"
    # TOML writes text, numbers and booleans as JSON does.
    return json.dumps(str(value) if isinstance(value, Path) else value)
