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
    values = [(name, value) for name, value in fields if not isinstance(value, BaseModel)]
    if path and values:
        yield f"\n[{'.'.join(path)}]"
    for name, value in values:
        yield f"# {name} is not set" if value is None else f"{name} = {_value(value)}"
    for name, value in fields:
        if isinstance(value, BaseModel):
            yield from _table(value, (*path, name))


def _value(value: Any) -> str:
    if isinstance(value, SecretStr):
        return json.dumps(HIDDEN)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    # TOML writes text, numbers and booleans as JSON does.
    return json.dumps(str(value) if isinstance(value, Path) else value)
