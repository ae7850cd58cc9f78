"""One moment of a call: a segment, and all that was known of its call when it came. No look-ahead."""

from dataclasses import dataclass, field

from service.dialogue.ledger import Conflict
from service.dialogue.lines import Line
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
        conflicts: Where this segment disagrees with what the call had established; None where reading it failed.
        pace: How fast its speaker has spoken so far.
    """

    segment: Segment
    line: Line
    context: tuple[Line, ...] = field(repr=False)
    history: tuple[Line, ...] = field(repr=False)
    conflicts: tuple[Conflict, ...] | None = field(repr=False)
    pace: Pace

    @property
    def stream(self) -> str:
        """Names the running text that `context` is the present end of, for the language model's cache.

        A restarted context is another text: under one name for the whole call it would push out the one
        before, which later segments of the same poll still ask about.
        """
        first = self.context[0] if self.context else self.line
        return f"{self.segment.call_id}/{first.sequence}"
