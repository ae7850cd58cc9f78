"""A side that disagrees with the call so far: the left knee where only the right one was spoken of."""

from collections.abc import Callable, Iterator, Sequence

from service.dialogue.conflicts import Conflict
from service.dialogue.memory import Memory
from service.dialogue.reading import LineReading
from service.dialogue.sides import Side, names_both
from streams.messages import Related


def other_sides(
    reading: LineReading,
    sides: Sequence[Side],
    memory: Memory,
    strength: float,
    explained: Callable[[Side], str],
) -> Iterator[Conflict]:
    """Conflicts of a line's `sides` with those that the patient named; none where both are spoken of."""
    if names_both(reading.said.words):
        return
    sequence = reading.line.sequence
    for side in sides:
        earlier = memory.side(side.place, side.opposite, sequence)
        if earlier is not None and memory.side(side.place, side.side, sequence) is None:
            yield Conflict(
                kind="side_conflict",
                subject=f"{side.place} side",
                span=reading.said.span(side.first, side.last),
                earlier=Related(earlier.sequence, earlier.span),
                explanation=explained(side),
                severity="medium",
                strength=strength,
            )
