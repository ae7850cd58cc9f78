"""What the chart holds of other files is as they are now. `make chart-files` writes it anew."""

import json

import pytest
from jsonschema import Draft202012Validator

from deploy.chart import CHART, readme, stray_files, synced_files, values_schema
from deploy.settings_schema import settings_definitions
from tests.helm.rendering import tool

REMEDY = "the chart is behind: make chart-files"


def test_rules_and_dashboards_are_those_of_the_repository() -> None:
    assert {path: path.read_bytes() for path in synced_files() if path.is_file()} == synced_files(), REMEDY
    assert stray_files() == (), REMEDY


def test_the_values_schema_knows_the_present_settings() -> None:
    assert (CHART / "values.schema.json").read_bytes() == values_schema(), REMEDY


def test_the_readme_is_made_of_the_present_values() -> None:
    tool("helm-docs")
    assert (CHART / "README.md").read_bytes() == readme(), REMEDY


def test_the_values_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(values_schema()))


def _tables(schema: object) -> list[dict[str, object]]:
    if isinstance(schema, list):
        return [table for each in schema for table in _tables(each)]
    if not isinstance(schema, dict):
        return []
    inner = [table for each in schema.values() for table in _tables(each)]
    return [schema, *inner] if schema.get("type") == "object" and "properties" in schema else inner


def test_every_table_of_the_values_is_strict() -> None:
    schema = json.loads(values_schema())
    narrowing = schema["properties"]["settings"].pop("allOf")[1:]  # laid over the settings' own tables
    assert narrowing
    tables = _tables(schema)
    assert len(tables) > 30
    assert [table for table in tables if table.get("additionalProperties") is not False] == []


@pytest.mark.parametrize("secret", ["password", "key_password"])
def test_no_secret_can_be_written_among_the_settings(secret: str) -> None:
    assert secret not in settings_definitions()["SecuritySettings"]["properties"]
