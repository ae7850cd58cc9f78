"""The parts of `docs/messages.md` that follow from the shapes: the fields of each message, and its example.

The document itself is written by hand; what stands between `<!-- fields: NAME -->` or `<!-- example: NAME -->` and
`<!-- end -->` is replaced.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from deploy.documents.markdown import table
from deploy.documents.message_schemas import message_schema

_PART: Final = re.compile(r"(<!-- (fields|example): ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_COLUMNS: Final = ("field", "type", "meaning")
_INDENT: Final = "&nbsp;&nbsp;"


def with_parts(document: str, examples: Path) -> str:
    """The document with its parts as they are now.

    Args:
        document: The document with its marks.
        examples: Folder with a file `NAME.json` for each message.
    """

    def part(found: re.Match[str]) -> str:
        begin, kind, name, end = found.groups()
        return f"{begin}\n{_fields(name) if kind == 'fields' else _example(examples / f'{name}.json')}\n{end}"

    return _PART.sub(part, document)


def _example(path: Path) -> str:
    return f"```json\n{path.read_text(encoding='utf-8')}```\n"


def _fields(name: str) -> str:
    schema = message_schema(name)
    return table(_COLUMNS, _rows(schema, schema.get("$defs", {}), 0)) + "\n"


def _rows(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int
) -> Iterator[tuple[str, str, str]]:
    """A row for each field, and below a field that holds objects those of its objects."""
    required = schema.get("required", ())
    for name, field in schema["properties"].items():
        optional = "" if name in required else "; optional"
        yield f"{_INDENT * depth}`{name}`", _type(field) + optional, field.get("description", "")
        inner = _inner(field)
        if inner is not None:
            yield from _rows(definitions[inner], definitions, depth + 1)


def _inner(field: Mapping[str, Any]) -> str | None:
    """The definition of the objects that a field holds."""
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    held = [*field.get("anyOf", ()), *field.get("allOf", ())]
    held += [field[key] for key in ("items", "additionalProperties") if isinstance(field.get(key), dict)]
    return next((name for one in held if (name := _inner(one)) is not None), None)


def _type(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        return "object"
    choices = field.get("anyOf", field.get("allOf"))
    if choices:
        return " or ".join(_type(choice) for choice in choices)
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{choice}`" for choice in field["enum"])
    if field["type"] == "array":
        return "two whole numbers" if field.get("maxItems") == 2 else f"list: {_type(field['items'])}"
    if field["type"] == "object":
        entries = field.get("additionalProperties")
        return f"{_type(entries)} by name" if isinstance(entries, dict) else "object"
    return _plain_type(field)


def _plain_type(field: Mapping[str, Any]) -> str:
    if field.get("format") == "date-time":
        return "time"
    words = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
    plain = words.get(field["type"], str(field["type"]))
    if "maximum" in field:
        return f"{plain} from {field['minimum']:g} to {field['maximum']:g}"
    return f"{plain} from {field['minimum']:g}" if "minimum" in field else plain
