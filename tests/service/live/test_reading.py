"""From raw records to messages: each topic in its own format, and each message with the record that it came in."""

import orjson
import pytest
from aiokafka import ConsumerRecord

from service.live.reading import Reading, WorkBound, read_records
from streams.adapters.conversion import RecogniserFormat
from streams.broker import Record
from streams.fields import Limits
from streams.messages import CallEnded, Segment

CANARY = "xylocanary"
FORMATS = {
    "asr.whisper": RecogniserFormat(name="whisper"),
    "asr.deepgram": RecogniserFormat(name="deepgram", channels={"1": "patient"}),
}
WHISPER = {"segments": [{"start": 0.0, "end": 1.0, "text": "one"}, {"start": 1.0, "end": 2.0, "text": "two"}]}
SEGMENT = {"call_id": "c1", "sequence": 3, "speaker": "patient", "text": "no fever"}


def record(
    topic: str, value: object, key: bytes | None = b"c1", headers: tuple[tuple[str, bytes], ...] = ()
) -> Record:
    encoded = None if value is None else orjson.dumps(value)
    return ConsumerRecord(topic, 0, 7, 0, 0, key, encoded, None, 0, 0, headers)


ENOUGH = WorkBound(segments=64, characters=16_384)


def read(*records: Record, bound: WorkBound = ENOUGH) -> Reading:
    return read_records(records, Limits(), FORMATS, bound)


def test_each_topic_is_read_in_its_own_format() -> None:
    ours, theirs = record("transcripts.segments", SEGMENT), record("asr.whisper", WHISPER)
    reading = read(ours, theirs)
    assert [message.text for message in reading.messages if isinstance(message, Segment)] == [
        "no fever",
        "one",
        "two",
    ]
    assert reading.sources == [ours, theirs, theirs]
    assert reading.oddities == {"unlisted_speaker": 1}


def test_a_message_of_a_wrong_shape_is_one_dead_letter_that_names_the_adapter() -> None:
    wrong = WHISPER | {"segments": [*WHISPER["segments"], {"start": CANARY, "end": 3.0, "text": CANARY}]}
    reading = read(
        record("asr.whisper", wrong), record("asr.whisper", WHISPER), record("transcripts.segments", {})
    )
    assert [letter.headers.get("error-adapter") for letter in reading.dead_letters] == ["whisper", None]
    headers = reading.dead_letters[0].headers
    assert (headers["error-kind"], headers["error-place"]) == ("wrong_type", "segments[2].start")
    assert CANARY not in str(headers)
    assert CANARY not in repr(reading)
    assert len(reading.messages) == 2
    assert reading.errors == {"wrong_type": 1, "missing_call_id": 1}


def test_what_says_nothing_is_counted_by_its_reason() -> None:
    reading = read(
        record("asr.deepgram", None),
        record("asr.deepgram", {"type": "UtteranceEnd", "channel": [0, 2], "last_word_end": 1.5}),
        record("asr.whisper", {"segments": []}),
        record("transcripts.segments", SEGMENT | {"is_final": False}),
    )
    assert reading.ignored == {"tombstone": 1, "control_message": 1, "no_words": 1, "non_final": 1}
    assert (reading.messages, reading.dead_letters) == ([], [])


def test_headers_of_a_record_are_read() -> None:
    headers = (("auscult-call-id", b"c2"), ("auscult-speaker", b"clinician"), ("trace", b"\xff"))
    reading = read(record("asr.whisper", WHISPER, headers=headers))
    assert {(each.call_id, each.speaker) for each in reading.messages if isinstance(each, Segment)} == {
        ("c2", "clinician")
    }


def test_the_end_of_a_session_and_of_a_call_are_read() -> None:
    metadata = {"type": "Metadata", "request_id": "r", "duration": 60.0, "channels": 2}
    reading = read(
        record("asr.deepgram", metadata), record("asr.whisper", {"type": "call.ended", "call_id": "c3"})
    )
    assert reading.messages == [CallEnded(call_id="c1"), CallEnded(call_id="c3")]


@pytest.mark.parametrize(
    ("bound", "taken"),
    [
        (WorkBound(segments=3, characters=1_000), 2),
        (WorkBound(segments=4, characters=1_000), 4),
        (WorkBound(segments=64, characters=10), 1),
        (WorkBound(segments=64, characters=14), 2),
        (WorkBound(segments=64, characters=22), 4),
        (WorkBound(segments=1, characters=1), 1),
    ],
)
def test_what_is_too_much_at_once_is_left_with_all_after_it(bound: WorkBound, taken: int) -> None:
    ours, theirs = record("transcripts.segments", SEGMENT), record("asr.whisper", WHISPER)
    records = [ours, theirs, ours, record("transcripts.segments", None)]
    reading = read(*records, bound=bound)
    assert reading.records == records[:taken]
    assert set(map(id, reading.sources)) <= set(map(id, reading.records))


def test_what_is_no_work_fits_always() -> None:
    wrong, nothing = record("transcripts.segments", {}), record("transcripts.segments", None)
    records = [record("transcripts.segments", SEGMENT), wrong, nothing, wrong]
    assert read(*records, bound=WorkBound(1, 1)).records == records
