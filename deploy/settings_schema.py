"""The settings' JSON Schema for the chart: a misspelt or wrong setting is refused before anything is installed."""

from typing import Any, Final

from service.settings import Settings

_UNUSED: Final = ("default", "format", "title")
"""Titles say nothing, defaults are the product's business, and Helm takes no format of Python's."""


def settings_definitions() -> dict[str, Any]:
    """A definition for each table of the settings, and `Settings` for all. None has a secret: those are in Secrets."""
    whole = Settings.model_json_schema()
    definitions = whole.pop("$defs")
    return {name: _plain(table) for name, table in sorted({**definitions, "Settings": whole}.items())}


def _plain(table: dict[str, Any]) -> dict[str, Any]:
    if "properties" not in table:
        return table
    fields = {name: _field(field) for name, field in table["properties"].items() if not _secret(field)}
    required = {"required": table["required"]} if "required" in table else {}
    return {"type": "object", "additionalProperties": False, "properties": fields, **required}


def _field(field: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in field.items() if key not in _UNUSED}
    if "anyOf" in kept:
        kept["anyOf"] = [_field(choice) for choice in kept["anyOf"]]
    return kept


def _secret(field: dict[str, Any]) -> bool:
    return any(choice.get("writeOnly") for choice in field.get("anyOf", (field,)))
