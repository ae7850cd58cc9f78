"""Recognisers' times as seconds: each counts in a unit of its own."""

import re
from typing import Final

from streams.fields import JsonObject, Limits, MalformedRecord, label, required, seconds

MAX_SECONDS: Final = 10_000_000.0
"""Beyond any call (115 days): such a time is in another unit than was documented."""

_DURATION: Final = re.compile(r"(-?)([0-9]{1,12}(?:\.[0-9]{1,9})?)s")


def instant(record: JsonObject, name: str, prefix: str = "", *, per_second: int = 1) -> float | None:
    """A time in seconds, if it is there.

    Args:
        record: Holds the field.
        name: The field's name.
        prefix: The place of the record.
        per_second: How many of the field's units are a second.
    """
    units = seconds(record, name, prefix)
    return None if units is None else _bounded(units / per_second, f"{prefix}{name}")


def required_instant(record: JsonObject, name: str, prefix: str = "", *, per_second: int = 1) -> float:
    """A time in seconds, which must be there."""
    required(record, name, prefix)
    time = instant(record, name, prefix, per_second=per_second)
    if time is None:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    return time


def duration(record: JsonObject, name: str, limits: Limits, prefix: str = "") -> float | None:
    """A time written as protocol buffers' JSON writes a Duration, such as `1.200s`, if it is there."""
    written = label(record, name, limits, prefix)
    if written is None:
        return None
    parts = _DURATION.fullmatch(written)
    if parts is None:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    if parts[1]:
        raise MalformedRecord("negative_time", f"{prefix}{name}")
    return _bounded(float(parts[2]), f"{prefix}{name}")


def ordered(start: float | None, end: float | None, place: str) -> tuple[float | None, float | None]:
    """Start and end, the end not before the start."""
    if start is not None and end is not None and end < start:
        raise MalformedRecord("reversed_time", place)
    return start, end


def _bounded(time: float, place: str) -> float:
    if time > MAX_SECONDS:
        raise MalformedRecord("time_too_large", place)
    return time
