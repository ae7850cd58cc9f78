"""Writing records: what is on the wire, that ids repeat, that what is written can be read again."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import orjson

from streams.decoding import Limits, decode
from streams.encoding import encode_assessment, encode_call_ended, encode_flag, encode_summary, segment_fields
from streams.identity import assessment_id, flag_id, summary_id
from streams.messages import (
    Assessment,
    CallEnded,
    CallSummary,
    Evidence,
    Flag,
    Recogniser,
    Related,
    Segment,
    SignalReading,
    Word,
)

SEGMENT = Segment(
    call_id="c1",
    sequence=4,
    speaker="patient",
    text="i take my break",
    start=1.0,
    end=2.0,
    asr=Recogniser("acme", "m-1"),
    tenant="north",
    received_at=datetime(2026, 3, 1, 10, tzinfo=UTC),
)
FLAG = Flag(
    id=flag_id("c1", 4, "misheard_term", (7, 15)),
    call_id="c1",
    sequence=4,
    type="misheard_term",
    severity="critical",
    span=(7, 15),
    reason="sounds_like_expected_term",
    explanation="“my break” sounds like ibuprofen.",
    suggestion="ibuprofen",
    related=(Related(2, (0, 4)), Related(1)),
)
ASSESSMENT = Assessment(
    id=assessment_id("c1", 4),
    segment=SEGMENT,
    late=False,
    revision=True,
    risk=0.123456789,
    quality=float(np.float32(0.5)),
    quality_recommendation="REVIEW",
    signals={
        "perplexity": SignalReading(np.float32(12.5), 0.75, (Evidence((7, 15), "peak", 9.1),)),  # type: ignore[arg-type]
        "drift": SignalReading(None, None, absent="too_short"),
    },
    flags=(FLAG,),
)

SUMMARY = CallSummary(
    id=summary_id("c1"),
    call_id="c1",
    segments=9,
    duration_seconds=61.5,
    risk=0.7,
    quality=None,
    quality_recommendation=None,
    recommendation="REVIEW",
    flags_by_severity={"critical": 1},
    worst_segments=(4, 2),
    ended_by="event",
)


def written(value: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = orjson.loads(value)
    return fields


def test_an_assessment_carries_its_signals_and_flags_but_not_the_text() -> None:
    value = encode_assessment(ASSESSMENT)
    fields = written(value)
    assert b"i take my break" not in value
    assert list(fields)[:4] == ["schema_version", "id", "call_id", "sequence"]
    assert (fields["risk"], fields["quality"]) == (0.123457, 0.5)
    assert (fields["late"], fields["revision"]) == (False, True)
    assert fields["received_at"] == "2026-03-01T10:00:00Z"
    assert fields["asr"] == {"provider": "acme", "model": "m-1"}
    assert fields["signals"]["perplexity"] == {
        "value": 12.5,
        "score": 0.75,
        "evidence": [{"span": [7, 15], "reason": "peak", "value": 9.1}],
        "absent": None,
    }
    assert fields["signals"]["drift"]["absent"] == "too_short"
    assert fields["flags"][0]["span"] == [7, 15]
    assert fields["flags"][0]["related"] == [{"sequence": 2, "span": [0, 4]}, {"sequence": 1, "span": None}]


def test_a_flag_carries_the_segment_it_is_about() -> None:
    fields = written(encode_flag(FLAG, SEGMENT))
    assert fields["segment"]["text"] == "i take my break"
    assert (fields["call_id"], fields["type"], fields["severity"]) == ("c1", "misheard_term", "critical")
    assert fields["id"] == FLAG.id


def test_a_summary_is_written_whole() -> None:
    fields = written(encode_summary(SUMMARY))
    assert fields["worst_segments"] == [4, 2]
    assert fields["flags_by_severity"] == {"critical": 1}
    assert fields["recommendation"] == "REVIEW"


def test_the_end_of_a_call_can_be_read_again() -> None:
    ended = CallEnded(call_id="c1", ended_at=datetime(2026, 3, 1, 10, tzinfo=UTC))
    assert decode(encode_call_ended(ended), Limits()).message == ended


def test_a_segment_can_be_read_again_and_leaves_out_what_is_not_known() -> None:
    whole = Segment(
        call_id="c1",
        sequence=4,
        speaker="clinician",
        text="any fever",
        start=0.0,
        end=2.0,
        confidence=0.5,
        words=(Word("any", 0.0, 1.0, 0.5), Word("fever")),
        end_of_turn=False,
        speech_seconds=1.5,
        language="en",
        asr=Recogniser("acme", "m-1"),
        tenant="north",
        received_at=datetime(2026, 3, 1, 10, tzinfo=UTC),
    )
    assert decode(orjson.dumps(segment_fields(whole)), Limits()).message == whole
    smallest = Segment(call_id="c1", sequence=4, speaker="clinician", text="")
    assert segment_fields(smallest) == {"call_id": "c1", "sequence": 4, "speaker": "clinician", "text": ""}


def test_ids_repeat_and_differ_by_all_that_they_stand_for() -> None:
    ids = [
        assessment_id("c1", 4),
        assessment_id("c1", 5),
        assessment_id("c14", 5),
        flag_id("c1", 4, "misheard_term", (7, 15)),
        flag_id("c1", 4, "misheard_term", (7, 16)),
        flag_id("c1", 4, "misheard_term", None),
        flag_id("c1", 4, "contradiction", (7, 15)),
        summary_id("c1"),
    ]
    assert len(set(ids)) == len(ids)
    assert assessment_id("c1", 4) == ids[0]
    assert flag_id("c1", 4, "misheard_term", (7, 15)) == FLAG.id


def test_ids_never_change() -> None:
    """Readers keep the last record of each id: another value would show everything twice."""
    assert assessment_id("c1", 4) == "a34271be-b32b-5a43-b5f1-2c60ddc31d80"
