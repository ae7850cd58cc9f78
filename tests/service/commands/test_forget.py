"""`auscult forget`: the state goes, and it says when the rest does."""

import asyncio
import uuid

import pytest
from typer.testing import CliRunner

from service.commands import app
from streams.administration import create_topics
from streams.call_state import CallStateRecord, encode_call_state
from streams.connection import Connection
from streams.topics import TopicNames
from tests.kafka import Message, everything, kafka_address, own_kafka, send

__all__ = ["kafka_address", "own_kafka"]


def state(call_id: str) -> Message:
    record = CallStateRecord(call_id=call_id, topic="segments", offset=1, read_from=0, payload={"a": 1})
    return Message(encode_call_state(record), call_id.encode())


def test_the_state_of_one_call_is_removed(kafka_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = f"t{uuid.uuid4().hex}."
    names = TopicNames().prefixed(prefix)
    monkeypatch.setenv("AUSCULT_KAFKA__TOPICS__PREFIX", prefix)
    asyncio.run(create_topics(Connection((kafka_address,)), names, partitions=3, replication=1))
    asyncio.run(send(kafka_address, names.state, [state("c1"), state("c2")]))

    first = CliRunner().invoke(app, ["forget", "c1", "--bootstrap", kafka_address])
    again = CliRunner().invoke(app, ["forget", "c1", "--bootstrap", kafka_address])

    assert first.exit_code == again.exit_code == 0, first.stderr
    assert f"{names.state}: state removed" in first.stdout
    assert f"{names.segments}: each record goes 7 days after it was written" in first.stdout
    assert f"{names.reviews}: kept until each record is replaced or removed" in first.stdout
    assert f"{names.state}: no state" in again.stdout
    last = {record.key: record.value for record in asyncio.run(everything(kafka_address, names.state))}
    assert last[b"c1"] is None
    assert last[b"c2"] is not None
