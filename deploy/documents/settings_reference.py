"""`docs/settings.md`: every setting with its variable, type, bounds, default and meaning, from the settings model."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from deploy.documents.markdown import table
from service.settings import CONFIG_VARIABLE, ENVIRONMENT_PREFIX, Settings

_INTRODUCTION: Final = f"""\
# Settings

Made of the settings model by `make docs`: change the descriptions there, not here.

A setting comes from its variable, else from the TOML file that `--config` or `{CONFIG_VARIABLE}` names, else it has
its default. Settings are validated once, at start, and then do not change: a name that does not exist or a value out
of bounds ends the command with status 2 and a line that names the setting, never its value. `auscult serve --check`
prints what is in effect, secrets hidden, in the form of such a file.

```toml
[kafka]
bootstrap_servers = ["broker-1:9092", "broker-2:9092"]
group = "auscult"

[kafka.security]
mechanism = "SCRAM-SHA-512"
username = "auscult"
password = "from a secret: better as a variable"
tls = true

[labels]
asr_provider = ["northwind", "halyard"]
```

The same as variables: names join the parts with two underscores, lists of names are separated by commas, any other
list or table is JSON.

```sh
export AUSCULT_KAFKA__BOOTSTRAP_SERVERS=broker-1:9092,broker-2:9092
export AUSCULT_KAFKA__SECURITY__TLS=true
export AUSCULT_LABELS__ASR_PROVIDER=northwind,halyard
```

Thresholds of signals and flags, and how to choose them for your calls: [tuning](tuning.md).
"""
_COLUMNS: Final = ("setting", "variable", "type", "default", "meaning")
_COLUMNS_OF_ENTRIES: Final = ("setting", "type", "default", "meaning")
_TYPES: Final = {"boolean": "true or false", "integer": "whole number", "number": "number", "string": "text"}
_BOUNDS: Final = {
    "minimum": "from {}",
    "exclusiveMinimum": "above {}",
    "maximum": "up to {}",
    "multipleOf": "a multiple of {}",
    "minItems": "at least {}",
    "minLength": "not empty",
    "pattern": "like `{}`",
}


def settings_reference() -> str:
    """The whole document."""
    return "\n".join((_INTRODUCTION, *_section(Settings, ()))).rstrip() + "\n"


def _section(model: type[BaseModel], path: tuple[str, ...]) -> Iterator[str]:
    """A table of the settings, then the tables within it."""
    schema = model.model_json_schema()
    own = {name: field for name, field in model.model_fields.items() if _inner(field) is None}
    if path:
        yield f"## {'.'.join(path)}\n\n{model.__doc__}\n"
    if own:
        variable = ENVIRONMENT_PREFIX + "".join(f"{part.upper()}__" for part in path)
        rows = [
            (f"`{name}`", f"`{variable}{name.upper()}`", *_described(field, schema["properties"][name]))
            for name, field in own.items()
        ]
        yield table(_COLUMNS, rows) + "\n"
    for name, field in own.items():
        entry = _entry(field)
        if entry is not None:
            yield from _entries(entry, (*path, name))
    for name, field in model.model_fields.items():
        inner = _inner(field)
        if inner is not None:
            yield from _section(inner, (*path, name))


def _entries(model: type[BaseModel], path: tuple[str, ...]) -> Iterator[str]:
    """The settings of each entry of a table whose names are free."""
    schema = model.model_json_schema()
    yield f"## {'.'.join(path)}.NAME\n\n{model.__doc__} All of them are one variable, as JSON.\n"
    rows = [
        (f"`{name}`", *_described(field, schema["properties"][name]))
        for name, field in model.model_fields.items()
    ]
    yield table(_COLUMNS_OF_ENTRIES, rows) + "\n"


def _described(field: FieldInfo, schema: Mapping[str, Any]) -> tuple[str, str, str]:
    return _type(schema), _default(field), field.description or ""


def _inner(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a table within the table."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _entry(field: FieldInfo) -> type[BaseModel] | None:
    """The model of each entry of a table with free names."""
    kinds = get_args(field.annotation)
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)


def _type(schema: Mapping[str, Any]) -> str:
    """A field's type and bounds in words."""
    if "anyOf" in schema:
        known = [choice for choice in schema["anyOf"] if choice.get("type") != "null"]
        return " or ".join(_type(choice) for choice in known)
    bounds = [wording.format(schema[bound]) for bound, wording in _BOUNDS.items() if bound in schema]
    return ", ".join((_plain_type(schema), *bounds))


def _plain_type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{choice}`" for choice in schema["enum"])
    if schema["type"] == "array":
        return f"list: {_type(schema['items'])}"
    if schema["type"] == "object":
        entries = schema["additionalProperties"]
        return "tables by name" if "$ref" in entries else f"{_type(entries)} by name"
    if schema.get("writeOnly"):
        return "secret"
    return "path" if schema.get("format") == "path" else _TYPES[schema["type"]]


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return "must be set"
    if value is None:
        return "unset"
    assert not isinstance(value, SecretStr)  # noqa: S101 - a secret with a default would be none
    if isinstance(value, tuple):
        return ", ".join(f"`{item}`" for item in value) or "none"
    if isinstance(value, dict):
        return "none"
    if isinstance(value, str):
        return f"`{value}`" if value else "empty"
    return f"`{json.dumps(value)}`"
