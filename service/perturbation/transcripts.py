"""Recorded calls as they were written: every line with all its fields, and the segment that it holds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from service.scoring import UnreadableLine
from streams.decoding import Ignored, Limits, MalformedRecord, decode
from streams.messages import Segment


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """One line.

    Attributes:
        fields: All its fields, unknown ones included.
        segment: The segment; None for the message that the call is over.
    """

    fields: dict[str, Any] = field(repr=False)
    segment: Segment | None


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call's lines, in the order in which they were recorded."""

    call_id: str
    lines: tuple[RecordedLine, ...]

    @property
    def segments(self) -> list[Segment]:
        """Its segments, in the order of the call."""
        found = [line.segment for line in self.lines if line.segment is not None]
        return sorted(found, key=lambda segment: segment.sequence)


def read_calls(
    lines: Iterable[bytes], limits: Limits, unreadable: Callable[[UnreadableLine], None]
) -> list[RecordedCall]:
    """The calls of some lines, in the order in which they begin.

    Args:
        lines: Segments as JSON; empty lines are skipped, and so is what is not final.
        limits: The largest input that is read.
        unreadable: Told of each line that is no segment; the others are read all the same.
    """
    calls: dict[str, list[RecordedLine]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            message = decode(line, limits).message
        except MalformedRecord as malformed:
            unreadable(UnreadableLine(number, malformed.kind, malformed.place))
            continue
        if not isinstance(message, Ignored):
            segment = message if isinstance(message, Segment) else None
            calls.setdefault(message.call_id, []).append(RecordedLine(orjson.loads(line), segment))
    return [RecordedCall(call_id, tuple(recorded)) for call_id, recorded in calls.items()]
