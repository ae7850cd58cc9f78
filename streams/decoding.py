"""From the bytes of a record to a message, or to a reason why it cannot be read.

The checks are written out by hand: a validation library's error carries the input, which is patient data,
and takes several times as long for each of the words of a segment.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

import orjson

from streams.messages import CallEnded, Recogniser, Segment, Speaker, Word

ErrorKind = Literal[
    "record_too_large",
    "not_utf8",
    "not_json",
    "not_an_object",
    "too_nested",
    "missing_call_id",
    "invalid_call_id",
    "missing_field",
    "wrong_type",
    "negative_sequence",
    "not_finite",
    "negative_time",
    "reversed_time",
    "invalid_timestamp",
    "text_too_long",
    "too_many_words",
    "field_too_long",
]
"""Why a record cannot be read."""

IgnoredReason = Literal["non_final", "tombstone"]
"""Why a record that is not wrong says nothing."""

InputOddity = Literal["unlisted_speaker", "confidence_out_of_range"]
"""What was odd with a record that was read all the same."""

CALL_ENDED: Final = "call.ended"
SPEAKERS: Final[Mapping[str, Speaker]] = {
    "patient": "patient",
    "clinician": "clinician",
    "agent": "agent",
    "unknown": "unknown",
}


class MalformedRecord(Exception):
    """A record that cannot be read.

    Attributes:
        kind: What is wrong.
        place: The known field where it is wrong, such as `words[3].start`; empty for the record as a whole.

    Neither holds anything of the record's own text, so both may be logged.
    """

    def __init__(self, kind: ErrorKind, place: str = "") -> None:
        super().__init__(f"{kind} at {place}" if place else kind)
        self.kind: ErrorKind = kind
        self.place = place


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input that is read.

    Attributes:
        record_bytes: Length of a record's value.
        text_characters: Length of a segment's text, and of each of its words.
        words: Number of a segment's words.
        nesting: How deep objects and lists may lie in each other, the record itself being 1.
        call_id_characters: Length of a call id.
        field_characters: Length of any other text field (language, tenant, the recogniser's names).
    """

    record_bytes: int = 512 * 1024
    text_characters: int = 10_000
    words: int = 2_000
    nesting: int = 16
    call_id_characters: int = 200
    field_characters: int = 200


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
    record = _parse(value, limits)
    if _boolean(record, "is_final") is False:
        return Decoded(Ignored("non_final"))
    call_id = _call_id(record, limits)
    if record.get("type") == CALL_ENDED:
        return Decoded(CallEnded(call_id=call_id, ended_at=_timestamp(record, "ended_at")))
    return _segment(call_id, record, limits)


def _parse(value: bytes, limits: Limits) -> dict[str, Any]:
    if len(value) > limits.record_bytes:
        raise MalformedRecord("record_too_large")
    try:
        record = orjson.loads(value)
    except orjson.JSONDecodeError:
        raise MalformedRecord("not_json" if _is_utf8(value) else "not_utf8") from None
    if type(record) is not dict:
        raise MalformedRecord("not_an_object")
    # A depth of n takes n opening brackets: counting those first spares most records the walk.
    if value.count(b"{") + value.count(b"[") > limits.nesting and _deeper_than(limits.nesting, record):
        raise MalformedRecord("too_nested")
    return record


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _deeper_than(limit: int, record: dict[str, Any]) -> bool:
    level: list[Any] = [record]
    for _ in range(limit):
        level = [
            child
            for container in level
            for child in (container.values() if type(container) is dict else container)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def _segment(call_id: str, record: dict[str, Any], limits: Limits) -> Decoded:
    oddities: list[InputOddity] = []
    start, end = _times(record, "")
    segment = Segment(
        call_id=call_id,
        sequence=_sequence(record),
        speaker=_speaker(record, oddities),
        text=_text(record, limits, ""),
        start=start,
        end=end,
        confidence=_confidence(record, "", oddities),
        words=_words(record, limits, oddities),
        end_of_turn=_boolean(record, "end_of_turn"),
        speech_seconds=_seconds(record, "speech_seconds", ""),
        language=_label(record, "language", limits),
        asr=_recogniser(record, limits),
        tenant=_label(record, "tenant", limits),
        received_at=_timestamp(record, "received_at"),
    )
    return Decoded(segment, tuple(dict.fromkeys(oddities)))


def _call_id(record: dict[str, Any], limits: Limits) -> str:
    call_id = record.get("call_id")
    if call_id is None or call_id == "":
        raise MalformedRecord("missing_call_id", "call_id")
    if type(call_id) is not str:
        raise MalformedRecord("wrong_type", "call_id")
    if len(call_id) > limits.call_id_characters or not call_id.isprintable():
        raise MalformedRecord("invalid_call_id", "call_id")
    return call_id


def _sequence(record: dict[str, Any]) -> int:
    sequence = _required(record, "sequence", "")
    # A whole number beyond 64 bits arrives as a float.
    if type(sequence) is not int:
        raise MalformedRecord("wrong_type", "sequence")
    if sequence < 0:
        raise MalformedRecord("negative_sequence", "sequence")
    return sequence


def _speaker(record: dict[str, Any], oddities: list[InputOddity]) -> Speaker:
    named = record.get("speaker")
    if named is not None and type(named) is not str:
        raise MalformedRecord("wrong_type", "speaker")
    speaker = SPEAKERS.get(named) if named is not None else None
    if speaker is None:
        oddities.append("unlisted_speaker")
        return "unknown"
    return speaker


def _text(record: dict[str, Any], limits: Limits, prefix: str) -> str:
    text = _required(record, "text", prefix)
    if type(text) is not str:
        raise MalformedRecord("wrong_type", f"{prefix}text")
    if len(text) > limits.text_characters:
        raise MalformedRecord("text_too_long", f"{prefix}text")
    return text


def _words(record: dict[str, Any], limits: Limits, oddities: list[InputOddity]) -> tuple[Word, ...]:
    words = record.get("words")
    if words is None:
        return ()
    if type(words) is not list:
        raise MalformedRecord("wrong_type", "words")
    if len(words) > limits.words:
        raise MalformedRecord("too_many_words", "words")
    return tuple(_word(word, index, limits, oddities) for index, word in enumerate(words))


def _word(word: Any, index: int, limits: Limits, oddities: list[InputOddity]) -> Word:
    prefix = f"words[{index}]."
    if type(word) is not dict:
        raise MalformedRecord("wrong_type", prefix[:-1])
    start, end = _times(word, prefix)
    return Word(_text(word, limits, prefix), start, end, _confidence(word, prefix, oddities))


def _times(record: dict[str, Any], prefix: str) -> tuple[float | None, float | None]:
    start, end = _seconds(record, "start", prefix), _seconds(record, "end", prefix)
    if start is not None and end is not None and end < start:
        raise MalformedRecord("reversed_time", f"{prefix}end")
    return start, end


def _seconds(record: dict[str, Any], name: str, prefix: str) -> float | None:
    seconds = _number(record, name, prefix)
    if seconds is not None and seconds < 0:
        raise MalformedRecord("negative_time", f"{prefix}{name}")
    return seconds


def _confidence(record: dict[str, Any], prefix: str, oddities: list[InputOddity]) -> float | None:
    confidence = _number(record, "confidence", prefix)
    if confidence is not None and not 0 <= confidence <= 1:
        oddities.append("confidence_out_of_range")
        return None
    return confidence


def _number(record: dict[str, Any], name: str, prefix: str) -> float | None:
    number = record.get(name)
    if number is None:
        return None
    # Not isinstance: a boolean is an int.
    if type(number) is not float and type(number) is not int:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    if not math.isfinite(number):
        raise MalformedRecord("not_finite", f"{prefix}{name}")
    return float(number)


def _boolean(record: dict[str, Any], name: str) -> bool | None:
    flag = record.get(name)
    if flag is not None and type(flag) is not bool:
        raise MalformedRecord("wrong_type", name)
    return flag


def _label(record: dict[str, Any], name: str, limits: Limits, prefix: str = "") -> str | None:
    label = record.get(name)
    if label is None:
        return None
    if type(label) is not str:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    if len(label) > limits.field_characters:
        raise MalformedRecord("field_too_long", f"{prefix}{name}")
    return label


def _recogniser(record: dict[str, Any], limits: Limits) -> Recogniser:
    asr = record.get("asr")
    if asr is None:
        return Recogniser()
    if type(asr) is not dict:
        raise MalformedRecord("wrong_type", "asr")
    return Recogniser(_label(asr, "provider", limits, "asr."), _label(asr, "model", limits, "asr."))


def _timestamp(record: dict[str, Any], name: str) -> datetime | None:
    """An RFC 3339 time as UTC. `fromisoformat` alone also takes dates, basic forms and local times."""
    written = record.get(name)
    if written is None:
        return None
    if type(written) is not str:
        raise MalformedRecord("wrong_type", name)
    try:
        moment = datetime.fromisoformat(written.upper())
    except ValueError:
        raise MalformedRecord("invalid_timestamp", name) from None
    if moment.tzinfo is None or written[4:5] != "-" or written[13:14] != ":" or written[16:17] != ":":
        raise MalformedRecord("invalid_timestamp", name)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise MalformedRecord("invalid_timestamp", name) from None


def _required(record: dict[str, Any], name: str, prefix: str) -> Any:
    try:
        return record[name]
    except KeyError:
        raise MalformedRecord("missing_field", f"{prefix}{name}") from None
