"""The documented shapes are those that are written and read."""

import orjson
from pydantic import BaseModel

from streams.decoding import Limits, decode
from streams.encoding import encode_assessment, encode_call_ended, encode_flag, encode_summary
from streams.messages import CallEnded, Segment
from streams.schemas import AssessmentRecord, CallEndedRecord, CallRecord, FlagRecord, SegmentRecord
from tests.streams.test_encoding import ASSESSMENT, FLAG, SEGMENT, SUMMARY


def test_what_is_written_has_the_documented_shape() -> None:
    written: list[tuple[bytes, type[BaseModel]]] = [
        (encode_assessment(ASSESSMENT), AssessmentRecord),
        (encode_flag(FLAG, SEGMENT), FlagRecord),
        (encode_summary(SUMMARY), CallRecord),
        (encode_call_ended(CallEnded(call_id="c1")), CallEndedRecord),
    ]
    for value, shape in written:
        record = shape.model_validate_json(value)
        assert set(record.model_dump()) == set(orjson.loads(value))


def test_what_is_documented_can_be_read() -> None:
    record = SegmentRecord.model_validate(
        {
            "call_id": "c1",
            "sequence": 0,
            "speaker": "patient",
            "text": "no fever",
            "words": [{"text": "no", "start": 0.5}],
            "asr": {"provider": "acme"},
            "received_at": "2026-03-01T10:00:00Z",
        }
    )
    message = decode(record.model_dump_json().encode(), Limits()).message
    assert isinstance(message, Segment)
    assert (message.words[0].start, message.asr.provider) == (0.5, "acme")


def test_every_field_that_is_read_is_documented() -> None:
    # `is_final` decides whether a segment is read at all.
    assert set(SegmentRecord.model_fields) == {*Segment.__slots__, "is_final"}
