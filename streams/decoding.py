"""From the bytes of a record to a message, or to a reason why it cannot be read.

The checks are written out by hand: a validation library's error carries the input, which is patient data,
and takes several times as long for each of the words of a segment.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from streams.fields import (
    InputOddity,
    JsonObject,
    Limits,
    MalformedRecord,
    boolean,
    call_id,
    confidence,
    label,
    parse,
    required,
    seconds,
    text,
    timestamp,
    word_records,
)
from streams.messages import CallEnded, Recogniser, Segment, Speaker, Word

# The limits and the exception are part of how `decode` is called.
__all__ = [
    "CALL_ENDED",
    "SPEAKERS",
    "Decoded",
    "Ignored",
    "IgnoredReason",
    "Limits",
    "MalformedRecord",
    "call_ended",
    "decode",
]

IgnoredReason = Literal["non_final", "tombstone", "no_words", "control_message"]
"""Why a record that is not wrong says nothing: interim results, null values, silence, news of the session."""

CALL_ENDED: Final = "call.ended"
SPEAKERS: Final[Mapping[str, Speaker]] = {
    "patient": "patient",
    "clinician": "clinician",
    "agent": "agent",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class Ignored:
    """A record that is not wrong but says nothing."""

    reason: IgnoredReason


class Decoded(NamedTuple):
    """A record that was read, and what was odd with it."""

    message: Segment | CallEnded | Ignored
    oddities: tuple[InputOddity, ...] = ()


def decode(value: bytes | None, limits: Limits) -> Decoded:
    """Reads a record's value, or one line of a recorded call.

    Args:
        value: JSON in UTF-8; None is a tombstone.
        limits: The largest input that is read.

    Raises:
        MalformedRecord: it cannot be read.
    """
    if value is None:
        return Decoded(Ignored("tombstone"))
    record = parse(value, limits)
    if boolean(record, "is_final") is False:
        return Decoded(Ignored("non_final"))
    if record.get("type") == CALL_ENDED:
        return Decoded(call_ended(record, limits))
    return _segment(record, limits)


def call_ended(record: JsonObject, limits: Limits) -> CallEnded:
    """The message that a call is over.

    Raises:
        MalformedRecord: it does not say which call, or not when in the way that it should.
    """
    return CallEnded(
        call_id=call_id(record.get("call_id"), "call_id", limits), ended_at=timestamp(record, "ended_at")
    )


def _segment(record: JsonObject, limits: Limits) -> Decoded:
    oddities: list[InputOddity] = []
    call = call_id(record.get("call_id"), "call_id", limits)
    start, end = _times(record)
    segment = Segment(
        call_id=call,
        sequence=_sequence(record),
        speaker=_speaker(record, oddities),
        text=text(record, "text", limits),
        start=start,
        end=end,
        confidence=confidence(record, "confidence", oddities),
        words=_words(record, limits, oddities),
        end_of_turn=boolean(record, "end_of_turn"),
        speech_seconds=seconds(record, "speech_seconds"),
        language=label(record, "language", limits),
        asr=_recogniser(record, limits),
        tenant=label(record, "tenant", limits),
        received_at=timestamp(record, "received_at"),
    )
    return Decoded(segment, tuple(dict.fromkeys(oddities)))


def _sequence(record: JsonObject) -> int:
    sequence = required(record, "sequence")
    # A whole number beyond 64 bits arrives as a float.
    if type(sequence) is not int:
        raise MalformedRecord("wrong_type", "sequence")
    if sequence < 0:
        raise MalformedRecord("negative_sequence", "sequence")
    return sequence


def _speaker(record: JsonObject, oddities: list[InputOddity]) -> Speaker:
    named = record.get("speaker")
    if named is not None and type(named) is not str:
        raise MalformedRecord("wrong_type", "speaker")
    speaker = SPEAKERS.get(named) if named is not None else None
    if speaker is None:
        oddities.append("unlisted_speaker")
        return "unknown"
    return speaker


def _words(record: JsonObject, limits: Limits, oddities: list[InputOddity]) -> tuple[Word, ...]:
    return tuple(
        _word(word, f"words[{index}].", limits, oddities)
        for index, word in enumerate(word_records(record, "words", limits))
    )


def _word(word: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> Word:
    start, end = _times(word, prefix)
    return Word(
        text(word, "text", limits, prefix), start, end, confidence(word, "confidence", oddities, prefix)
    )


def _times(record: JsonObject, prefix: str = "") -> tuple[float | None, float | None]:
    start, end = seconds(record, "start", prefix), seconds(record, "end", prefix)
    if start is not None and end is not None and end < start:
        raise MalformedRecord("reversed_time", f"{prefix}end")
    return start, end


def _recogniser(record: JsonObject, limits: Limits) -> Recogniser:
    asr = record.get("asr")
    if asr is None:
        return Recogniser()
    if type(asr) is not dict:
        raise MalformedRecord("wrong_type", "asr")
    return Recogniser(label(asr, "provider", limits, "asr."), label(asr, "model", limits, "asr."))
