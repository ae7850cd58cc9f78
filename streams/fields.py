"""Checked reading of the fields of a record: each is of its type and within its limits, or its place is named.

A place is made of known field names and indices, such as `words[3].start`; `prefix` is the part before the name.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

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
    "unknown_message",
    "negative_sequence",
    "not_finite",
    "negative_time",
    "reversed_time",
    "time_too_large",
    "invalid_timestamp",
    "text_too_long",
    "too_many_words",
    "field_too_long",
]
"""Why a record cannot be read."""

InputOddity = Literal["unlisted_speaker", "confidence_out_of_range"]
"""What was odd with a record that was read all the same."""

JsonObject = dict[str, Any]


class MalformedRecord(Exception):
    """A record that cannot be read.

    Attributes:
        kind: What is wrong.
        place: The known field where it is wrong, such as `words[3].start`; empty for the record as a whole.
        adapter: The recogniser's format that it was read as; None for Auscult's own.

    None of them holds anything of the record's own text, so all may be logged.
    """

    def __init__(self, kind: ErrorKind, place: str = "", adapter: str | None = None) -> None:
        where = f"{kind} at {place}" if place else kind
        super().__init__(where if adapter is None else f"{adapter}: {where}")
        self.kind: ErrorKind = kind
        self.place = place
        self.adapter = adapter


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


def parse(value: bytes, limits: Limits) -> JsonObject:
    """The JSON object that a record's value is.

    Raises:
        MalformedRecord: it is none, or too large.
    """
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


def _deeper_than(limit: int, record: JsonObject) -> bool:
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


def required(record: JsonObject, name: str, prefix: str = "") -> Any:
    """A field that must be there, of any type, null included."""
    try:
        return record[name]
    except KeyError:
        raise MalformedRecord("missing_field", f"{prefix}{name}") from None


def child(record: JsonObject, name: str, prefix: str = "") -> JsonObject:
    """An object that must be there."""
    value = required(record, name, prefix)
    if type(value) is not dict:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    return value


def children(record: JsonObject, name: str, prefix: str = "") -> Sequence[JsonObject]:
    """A list of objects; empty if it is absent or null."""
    values = record.get(name)
    if values is None:
        return ()
    if type(values) is not list:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    for index, value in enumerate(values):
        if type(value) is not dict:
            raise MalformedRecord("wrong_type", f"{prefix}{name}[{index}]")
    return values


def word_records(record: JsonObject, name: str, limits: Limits, prefix: str = "") -> Sequence[JsonObject]:
    """A segment's words; empty if they are absent or null."""
    words = children(record, name, prefix)
    if len(words) > limits.words:
        raise MalformedRecord("too_many_words", f"{prefix}{name}")
    return words


def text(record: JsonObject, name: str, limits: Limits, prefix: str = "") -> str:
    """Spoken text, which must be there."""
    value = required(record, name, prefix)
    if type(value) is not str:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    if len(value) > limits.text_characters:
        raise MalformedRecord("text_too_long", f"{prefix}{name}")
    return value


def label(record: JsonObject, name: str, limits: Limits, prefix: str = "") -> str | None:
    """A short text other than speech, if it is there."""
    value = record.get(name)
    if value is None:
        return None
    if type(value) is not str:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    if len(value) > limits.field_characters:
        raise MalformedRecord("field_too_long", f"{prefix}{name}")
    return value


def number(record: JsonObject, name: str, prefix: str = "") -> float | None:
    """A finite number, if it is there."""
    value = record.get(name)
    if value is None:
        return None
    # Not isinstance: a boolean is an int.
    if type(value) is not float and type(value) is not int:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    if not math.isfinite(value):
        raise MalformedRecord("not_finite", f"{prefix}{name}")
    return float(value)


def seconds(record: JsonObject, name: str, prefix: str = "") -> float | None:
    """A time that is not negative, if it is there."""
    value = number(record, name, prefix)
    if value is not None and value < 0:
        raise MalformedRecord("negative_time", f"{prefix}{name}")
    return value


def confidence(record: JsonObject, name: str, oddities: list[InputOddity], prefix: str = "") -> float | None:
    """A number from 0 to 1, if it is there; one that is out of range is dropped and noted."""
    value = number(record, name, prefix)
    if value is not None and not 0 <= value <= 1:
        oddities.append("confidence_out_of_range")
        return None
    return value


def boolean(record: JsonObject, name: str, prefix: str = "") -> bool | None:
    """True or false, if it is there."""
    value = record.get(name)
    if value is not None and type(value) is not bool:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    return value


def call_id(value: Any, place: str, limits: Limits) -> str:
    """A value as a call id: some printable characters, not too many."""
    if value is None or value == "":
        raise MalformedRecord("missing_call_id", place)
    if type(value) is not str:
        raise MalformedRecord("wrong_type", place)
    if len(value) > limits.call_id_characters or not value.isprintable():
        raise MalformedRecord("invalid_call_id", place)
    return value


def timestamp(record: JsonObject, name: str, prefix: str = "") -> datetime | None:
    """An RFC 3339 time as UTC, if it is there.

    `fromisoformat` alone also takes dates, basic forms and local times.
    """
    written = record.get(name)
    if written is None:
        return None
    if type(written) is not str:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    try:
        moment = datetime.fromisoformat(written.upper())
    except ValueError:
        raise MalformedRecord("invalid_timestamp", f"{prefix}{name}") from None
    if moment.tzinfo is None or written[4:5] != "-" or written[13:14] != ":" or written[16:17] != ":":
        raise MalformedRecord("invalid_timestamp", f"{prefix}{name}")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise MalformedRecord("invalid_timestamp", f"{prefix}{name}") from None
