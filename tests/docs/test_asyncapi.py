"""The AsyncAPI document is one, its references lead somewhere, and it names the topics that are read and written."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, get_args

import yaml
from faststream.specification import AsyncAPI
from jsonschema import Draft7Validator

from deploy.documents.files import DOCUMENTS
from streams.broker import make_broker
from streams.connection import Connection
from streams.publishing import Target, declare_outputs
from streams.topics import RETENTION, TopicNames
from tests.docs.markdown import ROOT

DOCUMENT: dict[str, Any] = yaml.safe_load((DOCUMENTS / "asyncapi.yaml").read_text(encoding="utf-8"))


def test_it_is_an_asyncapi_document() -> None:
    schema = json.loads((ROOT / "tests/docs/asyncapi-3.0.0.json").read_bytes())
    problems = [
        f"{error.json_path}: {error.validator}" for error in Draft7Validator(schema).iter_errors(DOCUMENT)
    ]
    assert problems == []


def test_the_schema_of_such_documents_refuses_others() -> None:
    schema = json.loads((ROOT / "tests/docs/asyncapi-3.0.0.json").read_bytes())
    operations = {"receive_segments": {"action": "read", "channel": {"$ref": "#/channels/segments"}}}
    assert not Draft7Validator(schema).is_valid({**DOCUMENT, "operations": operations})


def test_every_reference_leads_somewhere() -> None:
    references = list(_references(DOCUMENT))
    assert len(references) > 15
    for reference in references:
        file, _, path = reference.partition("#")
        if file:
            assert (DOCUMENTS / file).is_file(), reference
            continue
        place: Any = DOCUMENT
        for step in path.strip("/").split("/"):
            place = place[step]


def test_what_is_written_is_sent_and_the_rest_is_read() -> None:
    actions = {
        operation["channel"]["$ref"].rpartition("/")[2]: operation["action"]
        for operation in DOCUMENT["operations"].values()
    }
    assert actions == {**dict.fromkeys(get_args(Target), "send"), "segments": "receive"}


def test_a_running_service_names_the_same_topics() -> None:
    broker = make_broker(Connection(("localhost:9092",)), drain_seconds=1.0)
    declare_outputs(broker, TopicNames())
    served = AsyncAPI(broker, title="Auscult", version="1").to_specification().to_jsonable()
    sent = {
        DOCUMENT["channels"][operation["channel"]["$ref"].rpartition("/")[2]]["address"]
        for operation in DOCUMENT["operations"].values()
        if operation["action"] == "send"
    }
    assert {channel["address"] for channel in served["channels"].values()} == sent


def test_topics_have_their_names_and_retention() -> None:
    names = asdict(TopicNames())
    for field, channel in DOCUMENT["channels"].items():
        assert channel["address"] == names[field]
        kept = RETENTION[field]
        options = channel["bindings"]["kafka"]["topicConfiguration"]
        assert options.get("retention.ms") == (None if kept is None else kept.total_seconds() * 1000)


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "$ref":
                yield value
            else:
                yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)
