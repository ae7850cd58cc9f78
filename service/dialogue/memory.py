"""What a patient has said in a call so far: plain data, bounded, and with what a revised line said taken back."""

from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from typing_extensions import TypedDict

from service.dialogue.assertions import Assertion
from service.dialogue.quantities import Quantity, QuantityKind
from service.dialogue.reading import LineReading
from service.dialogue.sides import Side, SideName, names_both
from service.state.rows import row_writer
from streams.messages import Span

_KEPT = 4
"""How often one thing said again is remembered: more than once, so that a line can be taken back."""

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Said:
    """Where something was said.

    Attributes:
        denied: The assertion was a denial.
        wide: The assertion was of a symptom anywhere in the body.
        answer: It was given as a yes or no.
    """

    sequence: int
    span: Span
    denied: bool = False
    wide: bool = False
    answer: bool = False


SaidForm = tuple[int, Span, bool, bool, bool]
"""A `Said` in a call's state, field by field."""

QuantityForm = tuple[int, int, QuantityKind, str, float, float, bool, bool]
"""A `Quantity` in a call's state, field by field."""

_said_form: Callable[[Said], SaidForm] = row_writer(Said)
_quantity_form: Callable[[Quantity], QuantityForm] = row_writer(Quantity)


class MemoryForm(TypedDict):
    """A memory in a call's state: what was spoken of, the one spoken of last last."""

    assertions: list[tuple[str, list[SaidForm]]]
    quantities: list[tuple[str, QuantityForm, SaidForm]]
    sides: list[tuple[str, SideName, list[SaidForm]]]


@dataclass(slots=True)
class Memory:
    """Assertions, quantities and sides, in the order of the call's lines.

    A line is compared with what was said before it alone: a late or revised line was not meant to agree with
    what came after.

    Attributes:
        limit: Most subjects, quantities and places kept each; the oldest goes first.
    """

    limit: int
    _assertions: dict[str, list[Said]] = field(default_factory=dict, repr=False)
    _quantities: list[tuple[str, Quantity, Said]] = field(default_factory=list, repr=False)
    _sides: dict[tuple[str, SideName], list[Said]] = field(default_factory=dict, repr=False)

    def note(self, reading: LineReading, measured: str) -> None:
        """Takes in what a line says; `measured` names what its quantities are of, empty where unknown."""
        for made in reading.assertions:
            if made.settled:
                self._remember(self._assertions, made.subject, _asserted(reading, made))
        for quantity in reading.quantities:
            said = Said(reading.line.sequence, reading.said.span(quantity.first, quantity.last))
            insort(self._quantities, (measured, quantity, said), key=lambda entry: entry[2].sequence)
        del self._quantities[: -self.limit]
        both = names_both(reading.said.words)
        for side in reading.sides:
            self._note_side(reading, side, side.side)
            if both:
                self._note_side(reading, side, side.opposite)

    def retract(self, sequence: int) -> None:
        """Forgets what a line said: it has been revised."""
        _without(self._assertions, sequence)
        _without(self._sides, sequence)
        self._quantities = [entry for entry in self._quantities if entry[2].sequence != sequence]

    def asserted(self, subject: str, before: int) -> Said | None:
        """The last assertion of a subject before a line; of one subject the last one counts."""
        return _last(self._assertions.get(subject, ()), before)

    def side(self, place: str, side: SideName, before: int) -> Said | None:
        """Where a body part was last said to be on that side before a line."""
        return _last(self._sides.get((place, side), ()), before)

    def quantities(self, like: Quantity, before: int) -> Iterator[tuple[str, Quantity, Said]]:
        """Quantities of the same kind and unit that were said before a line, each with what it is of."""
        for measured, quantity, said in self._quantities:
            if said.sequence < before and (quantity.kind, quantity.unit) == (like.kind, like.unit):
                yield measured, quantity, said

    def form(self) -> MemoryForm:
        """All that is remembered, as plain data."""
        return {
            "assertions": [
                (subject, list(map(_said_form, times))) for subject, times in self._assertions.items()
            ],
            "quantities": [
                (measured, _quantity_form(quantity), _said_form(said))
                for measured, quantity, said in self._quantities
            ],
            "sides": [
                (place, side, list(map(_said_form, times))) for (place, side), times in self._sides.items()
            ],
        }

    @classmethod
    def of_form(cls, form: MemoryForm, limit: int) -> "Memory":
        """The memory that wrote a form; of one with a wider limit, what was spoken of last."""
        return cls(
            limit,
            {subject: _said(times) for subject, times in form["assertions"][-limit:]},
            [
                (measured, Quantity(*quantity), Said(*said))
                for measured, quantity, said in form["quantities"][-limit:]
            ],
            {(place, side): _said(times) for place, side, times in form["sides"][-limit:]},
        )

    def _note_side(self, reading: LineReading, side: Side, name: SideName) -> None:
        said = Said(reading.line.sequence, reading.said.span(side.first, side.last))
        self._remember(self._sides, (side.place, name), said)

    def _remember(self, known: dict[_Key, list[Said]], key: _Key, said: Said) -> None:
        # What was spoken of last comes last: the first is forgotten.
        times = known.pop(key, [])
        insort(times, said, key=lambda one: one.sequence)
        known[key] = times[-_KEPT:]
        if len(known) > self.limit:
            del known[next(iter(known))]


def _said(rows: list[SaidForm]) -> list[Said]:
    return [Said(*row) for row in rows]


def _asserted(reading: LineReading, made: Assertion) -> Said:
    span = reading.said.span(made.first, made.last)
    return Said(reading.line.sequence, span, made.denied, made.wide, made.answer)


def _last(times: list[Said] | tuple[()], before: int) -> Said | None:
    return next((said for said in reversed(times) if said.sequence < before), None)


def _without(known: dict[_Key, list[Said]], sequence: int) -> None:
    for key, times in list(known.items()):
        left = [said for said in times if said.sequence != sequence]
        if left:
            known[key] = left
        else:
            del known[key]
