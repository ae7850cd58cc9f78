"""`docs/schemas/`: a JSON Schema of each message, from the shapes in `streams/schemas.py`.

Draft 7, which more tools read than later ones. The files allow further fields, since new ones come without a new
`schema_version`: readers must bear them. The tests, which use the shapes themselves, do not.
"""

from collections.abc import Mapping
from typing import Any, Final

import orjson
from pydantic import BaseModel

from streams import schemas

DRAFT: Final = "http://json-schema.org/draft-07/schema#"
SHAPES: Final[Mapping[str, type[BaseModel]]] = {
    "segment": schemas.SegmentRecord,
    "call-ended": schemas.CallEndedRecord,
    "assessment": schemas.AssessmentRecord,
    "flag": schemas.FlagRecord,
    "call": schemas.CallRecord,
    "call-state": schemas.StateRecord,
    "dead-letter-headers": schemas.DeadLetterHeaders,
}
"""Name of each message, of its schema and of its example, and its shape."""

_NOISE: Final = ("title", "additionalProperties", "default")


def message_schema(name: str) -> dict[str, Any]:
    """The published schema of a message.

    Args:
        name: One of `SHAPES`.
    """
    schema = _plain(SHAPES[name].model_json_schema())
    return {"$schema": DRAFT, "$id": f"urn:auscult:{name}", "title": name, **schema}


def schema_file(name: str) -> bytes:
    """The same as the bytes of its file."""
    return orjson.dumps(message_schema(name), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without titles and defaults, and open to further fields; names of fields stay what they are."""
    kept = {
        key: value
        for key, value in schema.items()
        if key not in _NOISE or (key == "additionalProperties" and isinstance(value, dict))
    }
    for key, value in kept.items():
        if key in {"properties", "$defs"}:
            kept[key] = {name: _plain(inner) for name, inner in value.items()}
        elif isinstance(value, dict):
            kept[key] = _plain(value)
        elif key in {"anyOf", "oneOf", "allOf"}:
            kept[key] = [_plain(choice) for choice in value]
    return kept
