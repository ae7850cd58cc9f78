"""Replaying recorded calls: in their own time, each in order, all at once, and nothing that is no segment."""

import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from streams.adapters.conversion import RecogniserFormat
from streams.administration import create_topics
from streams.connection import Connection
from streams.replay import ENDED_AFTER_SECONDS, InvalidRecording, Pace, Progress, read_recordings, replay
from streams.topics import TopicNames
from tests.kafka import everything

NOW = datetime(2026, 3, 1, 10, 0, 0, 123_456, tzinfo=UTC)


def recorded(file: Path, *segments: dict[str, Any]) -> Path:
    lines = [
        orjson.dumps({"call_id": file.stem, "sequence": number, "speaker": "patient", "text": "no"} | fields)
        for number, fields in enumerate(segments)
    ]
    file.write_bytes(b"\n".join(lines) + b"\n\n")
    return file


def test_a_segment_is_due_when_it_was_received_or_ended(tmp_path: Path) -> None:
    file = recorded(
        tmp_path / "a.jsonl",
        {"start": 1.0, "end": 2.0},
        {"start": 2.0, "end": 3.0, "received": 4.5},
        {"end": 3.5},
        {"start": None, "end": None},
        {"start": 5.0},
    )
    assert [line.at for line in read_recordings([file])] == [2.0, 4.5, 4.5, 4.5, 5.0]


def test_call_ids_get_the_prefix(tmp_path: Path) -> None:
    files = [recorded(tmp_path / "a.jsonl", {}), recorded(tmp_path / "b.jsonl", {})]
    assert [line.call_id for line in read_recordings(files, "x-")] == ["x-a", "x-b"]


def test_recognisers_messages_become_the_segments_of_a_call_named_as_the_file(tmp_path: Path) -> None:
    whisper = {
        "segments": [{"start": 0.0, "end": 1.5, "text": "hello"}, {"start": 2.0, "end": 4.0, "text": "yes"}]
    }
    lines, whole = tmp_path / "call-7.jsonl", tmp_path / "call-8.json"
    lines.write_bytes(orjson.dumps(whisper) + b"\n\n" + orjson.dumps({"segments": []}) + b"\n")
    whole.write_bytes(orjson.dumps(whisper, option=orjson.OPT_INDENT_2))
    format_ = RecogniserFormat(name="whisper", model="large-v3")
    read = read_recordings([lines, whole], "x-", format_=format_)
    assert [(line.call_id, line.at) for line in read] == [
        ("x-call-7", 1.5),
        ("x-call-7", 4.0),
        ("x-call-8", 1.5),
        ("x-call-8", 4.0),
    ]
    assert read[0].fields["text"] == "hello"
    assert read[0].fields["asr"] == {"provider": "whisper", "model": "large-v3"}


def test_a_message_of_a_wrong_shape_is_named_with_its_adapter(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(orjson.dumps({"segments": []}) + b"\n" + orjson.dumps({"segments": ["xylocanary"]}))
    with pytest.raises(InvalidRecording, match=r"a\.jsonl:2: whisper: wrong_type at segments\[0\]") as caught:
        read_recordings([file], format_=RecogniserFormat(name="whisper"))
    assert "xylocanary" not in str(caught.value)


def test_a_line_that_is_no_segment_is_named_without_its_text(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a.jsonl", {}, {"text": ["xylocanary"]})
    with pytest.raises(InvalidRecording, match=r"a\.jsonl:2: wrong_type at text") as caught:
        read_recordings([file])
    assert "xylocanary" not in str(caught.value)


async def test_calls_are_sent_at_once_and_each_in_order(tmp_path: Path, broker_address: str) -> None:
    first = recorded(tmp_path / "a.jsonl", {"end": 10.0, "extra": 1}, {"end": 30.0}, {"end": 20.0})
    second = recorded(tmp_path / "b.jsonl", {"end": 15.0}, {"end": 100.0})
    names = TopicNames().prefixed(f"t{uuid.uuid4().hex}.")
    connection = Connection((broker_address,))
    await create_topics(connection, names, partitions=1, replication=1)
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    reported: list[Progress] = []
    sent = await replay(
        read_recordings([first, second]),
        connection,
        names.segments,
        Pace(10.0, now=lambda: NOW, sleep=note),
        reported.append,
    )
    assert sent == Progress(segments=5, calls=2)
    assert reported[-1] == sent
    assert waits == pytest.approx([1.0, 1.5, 3.0, 3.0, 3.2, 10.0, 10.2], abs=0.5)
    records = await everything(broker_address, names.segments)
    order = [(fields["call_id"], fields.get("sequence")) for fields in map(orjson.loads, values(records))]
    assert order == [("a", 0), ("b", 0), ("a", 1), ("a", 2), ("a", None), ("b", 1), ("b", None)]
    assert [record.key.decode() for record in records] == [call for call, _ in order]
    beginning = orjson.loads(records[0].value)
    assert (beginning["extra"], beginning["received_at"]) == (1, "2026-03-01T10:00:00.123Z")
    assert orjson.loads(records[4].value)["type"] == "call.ended"
    assert ENDED_AFTER_SECONDS == 2.0


async def test_as_fast_as_possible_waits_for_nothing(tmp_path: Path, broker_address: str) -> None:
    names = TopicNames().prefixed(f"t{uuid.uuid4().hex}.")
    connection = Connection((broker_address,))
    await create_topics(connection, names, partitions=1, replication=1)

    async def refuse(_seconds: float) -> None:
        raise AssertionError("it waited")

    lines = read_recordings([recorded(tmp_path / "a.jsonl", {"end": 1e6})])
    sent = await replay(lines, connection, names.segments, Pace(0, sleep=refuse))
    assert sent == Progress(segments=1, calls=1)


def values(records: list[Any]) -> list[bytes]:
    return [record.value for record in records]
