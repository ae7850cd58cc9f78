"""One moment of a call: a segment, and all that was known of its call when it came. No look-ahead."""

from dataclasses import dataclass, field

from service.dialogue.ledger import Conflict
from service.dialogue.lines import Line
from service.dialogue.reading import LineReading
from service.pace import Pace
from streams.messages import Segment


@dataclass(frozen=True, slots=True)
class Moment:
    """What a signal may read.

    Attributes:
        segment: As it was received.
        line: The segment's words in canonical form.
        context: Earlier lines that the language model reads, oldest first. It restarts at boundaries that
            depend on the call's text alone.
        history: More of the earlier lines, oldest first, bounded by settings. Contains `context`.
        reading: What the line says in its dialogue; None where it is not understood, or where reading it failed.
        conflicts: Where this segment disagrees with what the call had established; None where reading it failed.
        pace: How fast its speaker has spoken so far.
    """

    segment: Segment
    line: Line
    context: tuple[Line, ...] = field(repr=False)
    history: tuple[Line, ...] = field(repr=False)
    reading: LineReading | None = field(repr=False)
    conflicts: tuple[Conflict, ...] | None = field(repr=False)
    pace: Pace

    @property
    def stream(self) -> str:
        """Names the running text that `context` is the present end of, for the language model's cache."""
        return self.segment.call_id
