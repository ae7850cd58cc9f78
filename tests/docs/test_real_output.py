"""What the monitor really says of a bundled consultation, and what it writes of it, has the published shapes."""

import orjson
import pytest
from jsonschema import Draft7Validator

from deploy.documents.message_schemas import SHAPES, message_schema
from models.store import ModelStore
from service.composition import build_monitor
from service.demo.bundle import consultation_files
from service.observation import Observation
from service.settings import Settings
from streams.call_state import CallStateRecord, encode_call_state
from streams.dead_letters import Origin, dead_letter
from streams.decoding import Limits, decode
from streams.encoding import encode_assessment, encode_call_ended, encode_flag, encode_summary
from streams.fields import MalformedRecord
from streams.messages import CallEnded, Segment

CALL, LINES = "headache", 40
"""So far into the call a drug was misheard."""


def assert_published(name: str, value: bytes) -> None:
    record = orjson.loads(value)
    Draft7Validator(message_schema(name)).validate(record)
    SHAPES[name].model_validate(record)  # knows no further fields


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    (recording,) = consultation_files([CALL])
    return recording.read_bytes().splitlines()[:LINES]


@pytest.fixture(scope="module")
def said(lines: list[bytes], built_models: ModelStore) -> tuple[Observation, bytes]:
    """What came of the call, and its state before it was over."""
    messages = [decode(line, Limits()).message for line in lines]
    segments = [message for message in messages if isinstance(message, Segment)]
    monitor = build_monitor(Settings())
    open_call = monitor.observe(segments, now=0.0)
    state = monitor.snapshots([CALL])[CALL]
    record = CallStateRecord(
        call_id=CALL, topic="transcripts.segments", offset=LINES, read_from=0, payload=state
    )
    over = monitor.observe([CallEnded(call_id=CALL)], now=1.0)
    return Observation(open_call.assessments, over.summaries), encode_call_state(record)


def test_recorded_segments_have_the_published_shape(lines: list[bytes]) -> None:
    for line in lines:
        assert_published("segment", line)


def test_what_is_written_has_the_published_shape(said: tuple[Observation, bytes]) -> None:
    observation, state = said
    assert len(observation.assessments) == LINES
    for assessment in observation.assessments:
        assert_published("assessment", encode_assessment(assessment))
    flags = [
        (flag, assessment.segment) for assessment in observation.assessments for flag in assessment.flags
    ]
    assert flags
    for flag, segment in flags:
        assert_published("flag", encode_flag(flag, segment))
    (summary,) = observation.summaries
    assert_published("call", encode_summary(summary))
    assert_published("call-state", state)
    assert_published("call-ended", encode_call_ended(CallEnded(call_id=CALL)))


@pytest.mark.parametrize(
    ("size", "error"),
    [(1, MalformedRecord("not_json")), (1_000_000, MalformedRecord("wrong_type", "start", adapter="azure"))],
)
def test_dead_letters_have_the_published_headers(size: int, error: MalformedRecord) -> None:
    letter = dead_letter(
        Origin("transcripts.segments", 3, 1712, 1_795_343_313_140, b"c" * size), b"{" * size, error
    )
    assert_published("dead-letter-headers", orjson.dumps(letter.headers))
