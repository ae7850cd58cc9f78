"""The documents that are made of the code say what it says now."""

import json

import pytest
from jsonschema import Draft7Validator

from deploy.documents.files import EXAMPLES, SCHEMAS, document_files
from deploy.documents.message_schemas import SHAPES, message_schema
from service.settings import ENVIRONMENT_PREFIX, Settings
from streams.identity import assessment_id, flag_id, summary_id

REMEDY = "the documents are behind: make docs"


def test_the_documents_are_as_they_would_be_written() -> None:
    made = document_files()
    assert {path: path.read_bytes() for path in made if path.is_file()} == made, REMEDY


def test_nothing_is_left_of_messages_that_are_gone() -> None:
    assert {path.stem for path in SCHEMAS.iterdir()} == set(SHAPES)
    assert {path.stem for path in EXAMPLES.iterdir()} == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_an_example_is_of_its_schema(name: str) -> None:
    schema = message_schema(name)
    Draft7Validator.check_schema(schema)
    example = json.loads((EXAMPLES / f"{name}.json").read_bytes())
    Draft7Validator(schema).validate(example)
    # And it names nothing that the schema does not know.
    SHAPES[name].model_validate(example)


def test_the_ids_of_the_examples_are_those_of_their_call() -> None:
    ids = {
        name: json.loads((EXAMPLES / f"{name}.json").read_bytes())["id"]
        for name in ("assessment", "flag", "call")
    }
    assert ids == {
        "assessment": assessment_id("c-4711", 38),
        "flag": flag_id("c-4711", 38, "misheard_term", (31, 46)),
        "call": summary_id("c-4711"),
    }


def test_every_variable_of_the_reference_is_one() -> None:
    named = _variables(Settings().model_dump(mode="json"))
    reference = next(text for path, text in document_files().items() if path.name == "settings.md").decode()
    assert {name for name in named if f"| `{name}` |" not in reference} == set()
    assert reference.count(f"| `{ENVIRONMENT_PREFIX}") == len(named)


def test_every_setting_is_described() -> None:
    reference = next(text for path, text in document_files().items() if path.name == "settings.md").decode()
    assert [line for line in reference.splitlines() if line.endswith("|  |")] == []


def _variables(table: dict[str, object], prefix: str = ENVIRONMENT_PREFIX) -> set[str]:
    """The variable of each setting, by the values that are in effect."""
    names: set[str] = set()
    for name, value in table.items():
        if isinstance(value, dict) and value:
            names |= _variables(value, f"{prefix}{name.upper()}__")
        else:
            names.add(f"{prefix}{name.upper()}")
    return names
