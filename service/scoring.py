"""Scores recorded segments without a broker: lines in, assessments out, through the same monitor."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice

from service.observation import Observation, Observer
from streams.decoding import Decoded, Ignored, Limits, MalformedRecord, decode
from streams.messages import CallEnded, Segment

LINES_PER_POLL = 64
"""Recorded lines are read in polls of this size: batches as from Kafka, and no more memory than they need."""


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A line that is no segment; holds nothing of its text."""

    number: int
    kind: str
    place: str


def score_lines(
    lines: Iterable[bytes],
    monitor: Observer,
    limits: Limits,
    unreadable: Callable[[UnreadableLine], None],
) -> Iterator[Observation]:
    """Observes recorded lines poll by poll, and at the end the calls that are still open.

    Args:
        lines: Segments as JSON; empty lines are skipped.
        monitor: Follows the calls.
        limits: The largest input that is read.
        unreadable: Told of each line that is no segment; the others are scored all the same.
    """
    numbered = zip(count(1), lines, strict=False)
    while poll := list(islice(numbered, LINES_PER_POLL)):
        messages = [message for line in poll if (message := _read(*line, limits, unreadable)) is not None]
        # Recorded lines come at once: no call falls silent between them.
        yield monitor.observe(messages, now=0.0)
    yield monitor.finish()


def _read(
    number: int, line: bytes, limits: Limits, unreadable: Callable[[UnreadableLine], None]
) -> Segment | CallEnded | None:
    if not line.strip():
        return None
    try:
        decoded: Decoded = decode(line, limits)
    except MalformedRecord as malformed:
        unreadable(UnreadableLine(number, malformed.kind, malformed.place))
        return None
    return None if isinstance(decoded.message, Ignored) else decoded.message
