"""Reading records: what is accepted, what is odd, what is wrong, and that an error never holds the input."""

import math
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.decoding import Decoded, Ignored, Limits, MalformedRecord, decode
from streams.messages import CallEnded, Recogniser, Segment, Word

LIMITS = Limits()
CANARY = "xylocanary"
SMALLEST: dict[str, Any] = {"call_id": "c1", "sequence": 0, "speaker": "patient", "text": "no fever"}


def record(**changes: Any) -> bytes:
    return orjson.dumps(SMALLEST | changes)


def read(**changes: Any) -> Segment:
    message = decode(record(**changes), LIMITS).message
    assert isinstance(message, Segment)
    return message


def refuse(value: bytes, limits: Limits = LIMITS) -> tuple[str, str]:
    with pytest.raises(MalformedRecord) as caught:
        decode(value, limits)
    return caught.value.kind, caught.value.place


def test_the_smallest_segment_is_read() -> None:
    expected = Segment(call_id="c1", sequence=0, speaker="patient", text="no fever")
    assert decode(record(), LIMITS) == Decoded(expected)


def test_every_field_is_read() -> None:
    segment = read(
        start=1,
        end=2.5,
        confidence=0.9,
        words=[{"text": "no", "start": 1.0, "end": 1.5, "confidence": 0.8}, {"text": "fever"}],
        end_of_turn=True,
        speech_seconds=1.25,
        language="en-GB",
        asr={"provider": "acme", "model": "m-1"},
        tenant="north",
        received_at="2026-03-01T10:00:00.250+01:00",
    )
    assert (segment.start, segment.end, segment.confidence) == (1.0, 2.5, 0.9)
    assert segment.words == (Word("no", 1.0, 1.5, 0.8), Word("fever"))
    assert segment.end_of_turn is True
    assert segment.speech_seconds == 1.25
    assert (segment.language, segment.tenant) == ("en-GB", "north")
    assert segment.asr == Recogniser("acme", "m-1")
    assert segment.received_at == datetime(2026, 3, 1, 9, 0, 0, 250_000, tzinfo=UTC)


def test_what_may_be_null_may_be_null() -> None:
    times = dict.fromkeys(["start", "end", "speech_seconds", "received_at"])
    rest = dict.fromkeys(["confidence", "words", "end_of_turn", "language", "asr", "tenant", "is_final"])
    assert read(**times, **rest) == read()


def test_unknown_fields_are_ignored() -> None:
    assert read(received=3.2, unclear=True, extra={"a": [1]}) == read()


def test_the_end_of_a_call_is_read() -> None:
    value = b'{"type": "call.ended", "call_id": "c1", "ended_at": "2026-03-01T10:00:00Z"}'
    ended_at = datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert decode(value, LIMITS).message == CallEnded(call_id="c1", ended_at=ended_at)


@pytest.mark.parametrize("speaker", ["nurse", "Patient", "", None])
def test_an_unlisted_speaker_is_unknown_and_counted(speaker: str | None) -> None:
    decoded = decode(record(speaker=speaker), LIMITS)
    assert isinstance(decoded.message, Segment)
    assert decoded.message.speaker == "unknown"
    assert decoded.oddities == ("unlisted_speaker",)


def test_a_confidence_out_of_range_is_dropped_and_counted_once() -> None:
    decoded = decode(record(confidence=97, words=[{"text": "no", "confidence": -1}]), LIMITS)
    assert isinstance(decoded.message, Segment)
    assert decoded.message.confidence is None
    assert decoded.oddities == ("confidence_out_of_range",)


def test_a_non_final_segment_and_a_tombstone_are_ignored() -> None:
    assert decode(record(is_final=False), LIMITS).message == Ignored("non_final")
    assert decode(None, LIMITS).message == Ignored("tombstone")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"hello there", "not_json"),
        (b'{"text": NaN}', "not_json"),
        (b'\xff\xfe{"text"', "not_utf8"),
        (b'{"text": "\xff"}', "not_utf8"),
        (b"[1]", "not_an_object"),
        (b"null", "not_an_object"),
        (b'"words"', "not_an_object"),
    ],
)
def test_what_is_no_json_object_is_refused(value: bytes, kind: str) -> None:
    assert refuse(value) == (kind, "")


@pytest.mark.parametrize(
    ("changes", "kind", "place"),
    [
        ({"call_id": None}, "missing_call_id", "call_id"),
        ({"call_id": ""}, "missing_call_id", "call_id"),
        ({"call_id": 5}, "wrong_type", "call_id"),
        ({"call_id": "c\n1"}, "invalid_call_id", "call_id"),
        ({"call_id": "c" * 201}, "invalid_call_id", "call_id"),
        ({"sequence": "1"}, "wrong_type", "sequence"),
        ({"sequence": 1.0}, "wrong_type", "sequence"),
        ({"sequence": True}, "wrong_type", "sequence"),
        ({"sequence": None}, "wrong_type", "sequence"),
        ({"sequence": -1}, "negative_sequence", "sequence"),
        ({"speaker": 3}, "wrong_type", "speaker"),
        ({"text": None}, "wrong_type", "text"),
        ({"text": ["no"]}, "wrong_type", "text"),
        ({"text": "a" * 10_001}, "text_too_long", "text"),
        ({"start": "1.0"}, "wrong_type", "start"),
        ({"start": True}, "wrong_type", "start"),
        ({"start": -0.1}, "negative_time", "start"),
        ({"end": -1}, "negative_time", "end"),
        ({"start": 2, "end": 1}, "reversed_time", "end"),
        ({"confidence": "high"}, "wrong_type", "confidence"),
        ({"words": {}}, "wrong_type", "words"),
        ({"words": ["no"]}, "wrong_type", "words[0]"),
        ({"words": [{"text": "no"}, {"start": 1}]}, "missing_field", "words[1].text"),
        ({"words": [{"text": "no", "start": 2, "end": 1}]}, "reversed_time", "words[0].end"),
        ({"words": [{"text": "no", "start": -2}]}, "negative_time", "words[0].start"),
        ({"words": [{"text": ""}] * 2_001}, "too_many_words", "words"),
        ({"is_final": "yes"}, "wrong_type", "is_final"),
        ({"end_of_turn": 1}, "wrong_type", "end_of_turn"),
        ({"speech_seconds": -1}, "negative_time", "speech_seconds"),
        ({"language": 4}, "wrong_type", "language"),
        ({"language": "e" * 201}, "field_too_long", "language"),
        ({"asr": "acme"}, "wrong_type", "asr"),
        ({"asr": {"model": 4}}, "wrong_type", "asr.model"),
        ({"tenant": {}}, "wrong_type", "tenant"),
        ({"received_at": 1_700_000_000}, "wrong_type", "received_at"),
        ({"received_at": "yesterday"}, "invalid_timestamp", "received_at"),
        ({"received_at": "2026-03-01"}, "invalid_timestamp", "received_at"),
        ({"received_at": "2026-03-01T10:00:00"}, "invalid_timestamp", "received_at"),
        ({"received_at": "20260301T100000Z"}, "invalid_timestamp", "received_at"),
        ({"received_at": "0001-01-01T00:00:00+23:00"}, "invalid_timestamp", "received_at"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(changes: dict[str, Any], kind: str, place: str) -> None:
    assert refuse(record(**changes)) == (kind, place)


@pytest.mark.parametrize("name", ["sequence", "text"])
def test_a_missing_field_is_named(name: str) -> None:
    value = orjson.dumps({key: field for key, field in SMALLEST.items() if key != name})
    assert refuse(value) == ("missing_field", name)


def test_a_number_too_large_for_a_float_is_refused() -> None:
    huge = b'{"call_id":"c1","sequence":0,"speaker":"patient","text":"no","start":1e999}'
    assert refuse(huge)[0] in {"not_finite", "not_json"}
    whole = b'{"call_id":"c1","sequence":99999999999999999999999,"speaker":"patient","text":"no"}'
    assert refuse(whole) == ("wrong_type", "sequence")


def test_nesting_is_allowed_up_to_its_limit() -> None:
    def nested(depth: int) -> bytes:
        inner: Any = 1
        for _ in range(depth - 1):
            inner = [inner]
        return record(extra=inner)

    assert decode(nested(LIMITS.nesting), LIMITS).message == read()
    assert refuse(nested(LIMITS.nesting + 1)) == ("too_nested", "")
    assert refuse(b'{"a":' * 5_000 + b"1" + b"}" * 5_000)[0] in {"too_nested", "not_json"}


def test_many_shallow_containers_are_not_nesting() -> None:
    words = [{"text": "no"}] * 100
    assert len(read(words=words).words) == 100


def test_a_record_above_its_size_limit_is_refused_unread() -> None:
    limits = Limits(record_bytes=50)
    assert refuse(record(text="a" * 50), limits) == ("record_too_large", "")


@given(
    st.dictionaries(
        st.sampled_from([*SMALLEST, "start", "end", "confidence", "words", "asr", "received_at", CANARY]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.just(CANARY),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just(CANARY), inner, max_size=2),
            max_leaves=5,
        ),
    ),
    st.integers(min_value=0, max_value=10),
)
def test_any_record_is_read_or_refused_without_its_text(changes: dict[str, Any], cut: int) -> None:
    value = orjson.dumps(SMALLEST | changes, option=orjson.OPT_NON_STR_KEYS) if _fits(changes) else b""
    outcome = read_or_refuse(value[: len(value) - cut])
    if isinstance(outcome, MalformedRecord):
        assert CANARY not in f"{outcome!s} {outcome!r} {outcome.place} {outcome.__cause__!r}"
        assert outcome.__suppress_context__ or outcome.__context__ is None
    elif isinstance(outcome.message, Segment):
        start = outcome.message.start
        assert start is None or (start >= 0 and math.isfinite(start))


def _fits(value: Any) -> bool:
    """Whether every whole number of a value fits the 64 bits that JSON writers here can write."""
    if isinstance(value, dict):
        return all(map(_fits, value.values()))
    if isinstance(value, list):
        return all(map(_fits, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**64


@given(st.binary(max_size=200))
def test_bytes_that_are_no_segment_are_refused(value: bytes) -> None:
    assert isinstance(read_or_refuse(value), MalformedRecord)


def read_or_refuse(value: bytes) -> Decoded | MalformedRecord:
    try:
        return decode(value, LIMITS)
    except MalformedRecord as error:
        return error
