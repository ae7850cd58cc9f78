"""`auscult dead-letters`: shows where and why without what was said, and sends records back."""

import asyncio
import uuid
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner, Result

from service.commands import app
from streams.administration import create_topics
from streams.connection import Connection
from streams.dead_letters import Origin, dead_letter
from streams.fields import MalformedRecord
from streams.topics import TopicNames
from tests.kafka import Message, broker_address, everything, send

__all__ = ["broker_address"]

CANARY = "xylocanary"
HEADERS = (("auscult-tenant", b"north"), ("trace", CANARY.encode()), ("auscult-replayed", b"3:4"))
WRONG = orjson.dumps({"call_id": "c1", "sequence": "one", "speaker": "patient", "text": CANARY})


@pytest.fixture
def topics(broker_address: str, monkeypatch: pytest.MonkeyPatch) -> TopicNames:
    """Topics with three dead letters: of a wrong type, no JSON, and one that was cut."""
    prefix = f"t{uuid.uuid4().hex}."
    names = TopicNames().prefixed(prefix)
    monkeypatch.setenv("AUSCULT_KAFKA__TOPICS__PREFIX", prefix)
    monkeypatch.setenv("AUSCULT_KAFKA__BOOTSTRAP_SERVERS", broker_address)
    asyncio.run(create_topics(Connection((broker_address,)), names, partitions=1, replication=1))
    refused = [
        (WRONG, MalformedRecord("wrong_type", "sequence")),
        (b"{" + CANARY.encode(), MalformedRecord("not_json")),
        (CANARY.encode() * 100_000, MalformedRecord("record_too_large")),
    ]
    letters = [
        dead_letter(Origin(names.segments, 0, offset, 1_000, b"c1", HEADERS), value, error)
        for offset, (value, error) in enumerate(refused)
    ]
    messages = [
        Message(
            letter.value,
            letter.key,
            (*((name, text.encode()) for name, text in letter.headers.items()), *letter.forwarded),
        )
        for letter in letters
    ]
    asyncio.run(send(broker_address, names.dead_letters, messages))
    return names


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["dead-letters", *arguments])


def sent(address: str, names: TopicNames) -> Sequence[bytes]:
    return [record.value for record in asyncio.run(everything(address, names.segments))]


def test_it_lists_where_and_why_but_not_what_was_said(topics: TopicNames) -> None:
    result = run("list")
    assert result.exit_code == 0, result.stderr
    first, second, third = result.stdout.splitlines()
    assert first.startswith("0:0  ")
    assert f"wrong_type at sequence  from {topics.segments}:0:0  {len(WRONG)} bytes" in first
    assert "not_json  from" in second
    assert third.endswith(f"{len(CANARY) * 100_000} bytes")
    assert CANARY not in result.output
    assert "3 dead letters" in result.stderr


def test_it_shows_the_record_when_it_is_asked_to(topics: TopicNames) -> None:
    assert CANARY in run("list", "--kind", "not_json", "--text").stdout


def test_letters_are_sent_back_as_they_were_with_their_key(topics: TopicNames, broker_address: str) -> None:
    result = run("replay", "0:0")
    assert result.exit_code == 0, result.stderr
    (record,) = asyncio.run(everything(broker_address, topics.segments))
    assert (record.value, record.key) == (WRONG, b"c1")
    assert record.headers == (*HEADERS[:2], ("auscult-replayed", b"0:0"))


def test_a_letter_that_was_cut_is_not_sent(topics: TopicNames, broker_address: str) -> None:
    result = run("replay", "--kind", "record_too_large")
    assert "0 sent back" in result.stderr
    assert "1 were cut" in result.stderr
    assert sent(broker_address, topics) == []


def test_a_repaired_record_is_sent_instead(topics: TopicNames, broker_address: str, tmp_path: Path) -> None:
    repaired = tmp_path / "repaired.json"
    repaired.write_bytes(WRONG.replace(b'"one"', b"1") + b"\n")
    assert run("replay", "0:0", "--repaired", str(repaired)).exit_code == 0
    assert [orjson.loads(value)["sequence"] for value in sent(broker_address, topics)] == [1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name letters as PARTITION:OFFSET, or give --kind"),
        (("0:0", "--kind", "not_json"), "name letters as PARTITION:OFFSET, or give --kind"),
        (("0:0", "0:7", "3:1"), "no dead letter 0:7, 3:1"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    topics: TopicNames, broker_address: str, arguments: tuple[str, ...], said: str
) -> None:
    result = run("replay", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert sent(broker_address, topics) == []
