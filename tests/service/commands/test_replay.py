"""`auscult replay`: what it says when it is done, and when it cannot begin."""

import asyncio
import uuid
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from service.commands import app
from streams.administration import create_topics
from streams.connection import Connection
from streams.topics import TopicNames
from tests.kafka import broker_address, everything

__all__ = ["broker_address"]

LINE = '{"call_id": "c1", "sequence": %d, "speaker": "patient", "text": "xylocanary", "end": %d}\n'


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    file = tmp_path / "c1.jsonl"
    file.write_text(LINE % (0, 5) + LINE % (1, 9))
    return file


def test_it_sends_everything_to_the_named_broker_and_topic(recording: Path, broker_address: str) -> None:
    names = TopicNames().prefixed(f"t{uuid.uuid4().hex}.")
    connection = Connection((broker_address,))
    asyncio.run(create_topics(connection, names, partitions=1, replication=1))
    where = ["--bootstrap", broker_address, "--topic", names.segments]
    result = CliRunner().invoke(
        app, ["replay", str(recording), "--speed", "inf", "--call-prefix", "again-", *where]
    )
    assert result.exit_code == 0, result.stderr
    assert "2 segments of 1 calls sent" in result.stderr
    records = asyncio.run(everything(broker_address, names.segments))
    assert [record.key for record in records] == [b"again-c1"] * 3


DEEPGRAM = (
    '{"type": "Results", "channel_index": [%d, 2], "start": %d, "duration": 1.0, "is_final": true, "channel": '
    '{"alternatives": [{"transcript": "no fever", "confidence": 0.9, "words": []}]}}\n'
)


def test_recognisers_messages_are_sent_as_segments(tmp_path: Path, broker_address: str) -> None:
    recording = tmp_path / "c7.jsonl"
    recording.write_text(DEEPGRAM % (0, 1) + '{"type": "Metadata"}\n' + DEEPGRAM % (1, 5))
    names = TopicNames().prefixed(f"t{uuid.uuid4().hex}.")
    asyncio.run(create_topics(Connection((broker_address,)), names, partitions=1, replication=1))
    options = ["--format", "deepgram", "--channel", "0=clinician", "--channel", "1=patient", "--speed", "0"]
    where = ["--bootstrap", broker_address, "--topic", names.segments]
    result = CliRunner().invoke(app, ["replay", str(recording), *options, *where])
    assert result.exit_code == 0, result.stderr
    records = asyncio.run(everything(broker_address, names.segments))
    fields = [orjson.loads(record.value) for record in records]
    assert [each.get("speaker") for each in fields] == ["clinician", "patient", None]
    assert {each["call_id"] for each in fields} == {"c7"}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--format", "acme"], "--format: one of assemblyai, aws, azure, deepgram, google, whisper"),
        (["--channel", "0=patient"], "--channel and --label need --format"),
        (
            ["--format", "aws", "--label", "0=nurse"],
            "--label: NAME=SPEAKER, the speaker one of patient, clinician",
        ),
        (["--format", "aws", "--channel", "patient"], "--channel: NAME=SPEAKER"),
    ],
)
def test_a_format_that_cannot_be_is_refused(recording: Path, options: list[str], problem: str) -> None:
    result = CliRunner().invoke(app, ["replay", str(recording), *options, "--bootstrap", "127.0.0.1:1"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"auscult: {problem}")


def test_a_bad_line_is_named_and_nothing_is_sent(recording: Path) -> None:
    recording.write_text(LINE % (0, 5) + "xylocanary\n")
    result = CliRunner().invoke(app, ["replay", str(recording), "--bootstrap", "127.0.0.1:1"])
    assert result.exit_code == 2
    assert result.stderr.strip() == f"auscult: {recording}:2: not_json"


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (b"xylocanary \xff", "not_utf8"),
        (b'["xylocanary"]', "not_an_object"),
        (b'{"text": "xylocanary"}', "missing_call_id at call_id"),
        (b'{"call_id": "c1", "text": "xylocanary"}', "missing_field at sequence"),
        (b'{"call_id": "c1", "sequence": 1, "text": {"xylocanary": 1}}', "wrong_type at text"),
        (
            b'{"call_id": "c1", "sequence": 1, "text": "xylocanary", "start": 2, "end": 1}',
            "reversed_time at end",
        ),
    ],
)
def test_whatever_is_wrong_with_a_recording_is_said_without_its_words(
    recording: Path, broken: bytes, problem: str
) -> None:
    recording.write_bytes(recording.read_bytes() + broken)
    result = CliRunner().invoke(app, ["replay", str(recording), "--bootstrap", "127.0.0.1:1"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.strip() == f"auscult: {recording}:3: {problem}"


def test_an_absent_broker_and_an_absent_file_are_named(recording: Path) -> None:
    result = CliRunner().invoke(app, ["replay", str(recording), "--bootstrap", "127.0.0.1:1"])
    assert result.exit_code == 2
    assert "auscult: 127.0.0.1:1: no connection" in result.stderr
    result = CliRunner().invoke(app, ["replay", "absent.jsonl"])
    assert (result.exit_code, result.stderr.strip()) == (
        2,
        "auscult: absent.jsonl: No such file or directory",
    )
