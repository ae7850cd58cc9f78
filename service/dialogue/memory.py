"""What a patient has said in a call so far: plain data, bounded."""

from dataclasses import dataclass, field

from service.dialogue.assertions import Assertion
from service.dialogue.quantities import Quantity
from service.dialogue.reading import LineReading
from service.dialogue.sides import Side, SideName, names_both
from streams.messages import Span


@dataclass(frozen=True, slots=True)
class Said:
    """Where something was said.

    Attributes:
        wide: The assertion was of a symptom anywhere in the body.
        answer: It was given as a yes or no.
    """

    sequence: int
    span: Span
    wide: bool = False
    answer: bool = False


@dataclass(slots=True)
class Memory:
    """Assertions, quantities and sides, the newest last. Of one subject the last assertion counts.

    Attributes:
        limit: Most subjects, quantities and places kept each; the oldest goes first.
        assertions: By subject and whether denied.
        quantities: With what they measure ("ibuprofen"; empty where unknown).
        sides: By body part.
    """

    limit: int
    assertions: dict[tuple[str, bool], Said] = field(default_factory=dict, repr=False)
    quantities: list[tuple[str, Quantity, Said]] = field(default_factory=list, repr=False)
    sides: dict[tuple[str, str], Said] = field(default_factory=dict, repr=False)

    def note(self, reading: LineReading, measured: str) -> None:
        """Takes in what a line says; `measured` names what its quantities are of."""
        for made in reading.assertions:
            if made.settled:
                self._note_assertion(reading, made)
        for quantity in reading.quantities:
            span = reading.said.span(quantity.first, quantity.last)
            self.quantities.append((measured, quantity, Said(reading.line.sequence, span)))
        del self.quantities[: -self.limit]
        both = names_both(reading.said.words)
        for side in reading.sides:
            self._note_side(reading, side, side.side)
            if both:
                self._note_side(reading, side, side.opposite)

    def _note_assertion(self, reading: LineReading, made: Assertion) -> None:
        key = (made.subject, made.denied)
        for denied in (True, False):
            self.assertions.pop((made.subject, denied), None)
        span = reading.said.span(made.first, made.last)
        self.assertions[key] = Said(reading.line.sequence, span, made.wide, made.answer)
        if len(self.assertions) > self.limit:
            del self.assertions[next(iter(self.assertions))]

    def _note_side(self, reading: LineReading, side: Side, name: SideName) -> None:
        key = (side.place, name)
        self.sides.pop(key, None)
        self.sides[key] = Said(reading.line.sequence, reading.said.span(side.first, side.last))
        if len(self.sides) > self.limit:
            del self.sides[next(iter(self.sides))]
