"""What the service published about a call, as a reader of the topics sees it."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from streams.messages import Flag, Related, Span


@dataclass(frozen=True, slots=True)
class RaisedFlag:
    """A flag with the segment it is about. `start` in seconds from call start."""

    flag: Flag
    speaker: str
    start: float | None
    text: str = field(repr=False)


def read_flag(value: bytes) -> RaisedFlag:
    """Reads a record of the flags topic."""
    record: dict[str, Any] = orjson.loads(value)
    segment = record["segment"]
    return RaisedFlag(
        Flag(
            id=record["id"],
            call_id=record["call_id"],
            sequence=record["sequence"],
            type=record["type"],
            severity=record["severity"],
            span=_span(record["span"]),
            reason=record["reason"],
            explanation=record["explanation"],
            suggestion=record["suggestion"],
            related=tuple(Related(one["sequence"], _span(one["span"])) for one in record["related"]),
        ),
        speaker=segment["speaker"],
        start=segment["start"],
        text=segment["text"],
    )


def _span(pair: list[int] | None) -> Span | None:
    return None if pair is None else (pair[0], pair[1])
