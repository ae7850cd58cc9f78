"""What is understood of a spoken case: by the dialogue's reading, in the terms in which the cases are written."""

from dataclasses import dataclass, field

from service.dialogue.answer_fit import fits_question
from service.dialogue.answered import about_subject
from service.dialogue.assertions import Assertion
from service.dialogue.lines import Line
from service.dialogue.quantities import Quantity
from service.dialogue.reading import LineReading, read_line
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.stance import DOUBTED
from service.dialogue.terms import FirstMatcher, PhraseMatcher, TermMatcher
from service.dialogue.tokens import bare, tokenise
from tests.service.dialogue.spoken_cases import Case, Expected, Status

_DAYS = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.0}
_ROUNDING = 0.03


@dataclass(frozen=True, slots=True)
class Understood:
    """What is understood of one concept: its status, and whether it is the patient's."""

    status: Status
    own: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A case as the dialogue is read, line by line."""

    case: Case
    lines: tuple[LineReading, ...] = field(repr=False)

    @property
    def last(self) -> LineReading:
        """The reading of the last line."""
        return self.lines[-1]

    def of(self, concept: str) -> Understood | None:
        """What is understood of a concept by the end; of several assertions the last counts."""
        made = [made for line in self.lines for made in line.assertions if _named(concept) in made.subject]
        return Understood(_status(made[-1]), made[-1].experiencer == "patient") if made else None

    def holds(self, expected: Expected) -> bool:
        """Whether a concept is understood as expected."""
        return self.of(expected.concept) == Understood(expected.status, expected.own)

    def says_number(self, expected: Expected) -> bool:
        """Whether the number, the times a day and the side that are said of a concept are read."""
        quantities = [quantity for line in self.lines for quantity in line.quantities]
        value = expected.value is None or any(
            _is(one, expected.value, expected.unit) for one in quantities[-2:]
        )
        often = expected.per_day is None or any(
            _is(one, expected.per_day, "day") for one in quantities if one.kind == "frequency"
        )
        sides = self.last.sides
        return (
            value and often and (expected.side is None or (bool(sides) and sides[-1].side == expected.side))
        )

    @property
    def fits(self) -> bool | None:
        """Whether the last line can answer its question."""
        return fits_question(self.last)

    @property
    def asks(self) -> str:
        """The kind of the last question of the last line; `none` where it asks nothing."""
        return self.last.questions[-1].kind.replace("_", " ") if self.last.questions else "none"

    @property
    def reply(self) -> str | None:
        """What the last line answers about the thing asked."""
        answer, question = self.last.answer, self.last.question
        if answer is None or question is None:
            return None
        polarity = about_subject(answer, question)
        return {"partial": "yes", "unknown": "unsure"}.get(str(polarity), polarity)


def read_case(case: Case) -> Reading:
    """Reads a case with its own concepts as terms, beside the body parts and topics that every call knows."""
    matcher = FirstMatcher((_concepts(case), spoken_terms()))
    lines = [Line(at, speaker, tokenise(text)) for at, (speaker, text) in enumerate(case.lines)]
    return Reading(case, tuple(read_line(line, lines[:at], matcher) for at, line in enumerate(lines)))


def asserted_of(case: Case) -> tuple[Expected, ...]:
    """The concepts that are affirmed or denied; of a body part only the side is said."""
    return tuple(expected for expected in case.assertions if not _is_place(expected.concept))


def _concepts(case: Case) -> TermMatcher:
    return PhraseMatcher({_named(one.concept): ("symptom", _named(one.concept)) for one in asserted_of(case)})


def _named(concept: str) -> str:
    return bare(tokenise(concept))


def _is_place(concept: str) -> bool:
    words = concept.split()
    return any(
        term.category == "anatomy" and term.last - term.first + 1 == len(words)
        for term in spoken_terms().match(words)
    )


def _status(made: Assertion) -> Status:
    if made.temporality == "hypothetical" or made.certainty <= DOUBTED:
        return "open"
    if made.temporality == "planned":
        return "planned"
    if made.denied or made.temporality == "ended":
        return "absent"
    return "past" if made.temporality == "past" else "present"


def _is(quantity: Quantity, value: float, unit: str | None) -> bool:
    scale = _DAYS[quantity.unit] / _DAYS[unit] if unit in _DAYS and quantity.unit in _DAYS else 1.0
    return quantity.low * scale * (1 - _ROUNDING) <= value <= quantity.high * scale * (1 + _ROUNDING)
