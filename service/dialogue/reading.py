"""All that is read of one line: its questions, what it answers, what it asserts, its quantities and sides."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.acknowledgements import only_stalls
from service.dialogue.answered import answered, taken_for_granted
from service.dialogue.answers import Answer, answer_by_sound, read_answer
from service.dialogue.assertions import Assertion, stated
from service.dialogue.elliptic import (
    answer_by_naming,
    answer_by_place,
    answer_by_sense,
    elliptic_quantity,
    elliptic_side,
)
from service.dialogue.lines import Line
from service.dialogue.mentions import Mention, mentions_among, places_among
from service.dialogue.quantities import Quantity, quantities_in
from service.dialogue.questions import Question, answered_questions, questions_in
from service.dialogue.selections import picked_out
from service.dialogue.sides import Side, sides_in
from service.dialogue.speakers import STAFF as STAFF
from service.dialogue.terms import TermMatch, TermMatcher
from service.dialogue.wording import Wording, wording


@dataclass(frozen=True, slots=True)
class LineReading:
    """What one line says in its dialogue.

    Attributes:
        questions: What it asks.
        answering: The questions of the turn that it answers; empty where none is open.
        begins: Whether it begins to answer them, rather than goes on after an answer.
        answer: The yes or no with which it begins to answer the last of them.
        assertions: What it asserts, in its own words and by its answer.
        mentions: The clinical subjects that it names, asserted or not.
        places: The body parts that it names.
    """

    line: Line
    said: Wording = field(repr=False)
    questions: tuple[Question, ...] = field(repr=False)
    answering: tuple[Question, ...] = field(repr=False)
    begins: bool
    answer: Answer | None
    assertions: tuple[Assertion, ...] = field(repr=False)
    quantities: tuple[Quantity, ...] = field(repr=False)
    sides: tuple[Side, ...] = field(repr=False)
    mentions: tuple[Mention, ...] = field(repr=False)
    places: tuple[TermMatch, ...] = field(repr=False)

    @property
    def question(self) -> Question | None:
        """The question that the line answers: the last one of the turn."""
        return self.answering[-1] if self.answering else None

    @property
    def asked(self) -> frozenset[int]:
        """Indexes of the words that stand within a question of this line."""
        return frozenset(word for asked in self.questions for word in range(asked.first, asked.last + 1))


def read_line(line: Line, before: Sequence[Line], matcher: TermMatcher, *, look_back: int = 6) -> LineReading:
    """Reads a line after the lines before it, oldest first; only the last `look_back` of them count."""
    said = wording(line.tokens)
    terms = matcher.match(said.words)
    mentions, places = mentions_among(said.words, terms), places_among(terms)
    questions = questions_in(said, line.sequence, mentions, by_staff=line.speaker in STAFF)
    answering = answered_questions(line, before, matcher, look_back=look_back)
    answer = None
    begins = bool(answering) and not _answered_before(line, before, answering[-1].sequence)
    if begins:
        answer = (
            answer_by_sound(line.tokens)
            or read_answer(said.words, answering[-1].words)
            or answer_by_place(said.words, places, answering[-1])
            or answer_by_naming(said.words, mentions, answering[-1])
            or (None if mentions or questions else answer_by_sense(said.words, answering[-1]))
        )
    assertions = stated(said, questions, mentions, by_staff=line.speaker in STAFF)
    if answering:
        restated = {made.subject for made in assertions}
        picked = picked_out(said.words, assertions, answering)
        given = answered(answer, answering[-1:] if restated else answering) if answer is not None else ()
        granted = taken_for_granted(answering[-1], answer)
        assertions += tuple(made for made in picked or (*given, *granted) if made.subject not in restated)
    return LineReading(
        line,
        said,
        questions,
        answering,
        begins,
        answer,
        assertions,
        _quantities(said.words, answering),
        sides_in(said.words, places) or _left_out_side(said.words, answering, matcher),
        mentions,
        places,
    )


def _quantities(words: Sequence[str], answering: Sequence[Question]) -> tuple[Quantity, ...]:
    found = quantities_in(words)
    left_out = elliptic_quantity(words, answering[-1]) if answering and not found else None
    return found if left_out is None else (left_out,)


def _left_out_side(
    words: Sequence[str], answering: Sequence[Question], matcher: TermMatcher
) -> tuple[Side, ...]:
    side = elliptic_side(words, answering[-1], matcher) if answering else None
    return () if side is None else (side,)


def _answered_before(line: Line, before: Sequence[Line], asked: int) -> bool:
    """Whether the speaker has already said something of substance since the question."""
    for earlier in reversed(before):
        if earlier.sequence <= asked:
            return False
        words = wording(earlier.tokens).words if earlier.speaker == line.speaker else ()
        if words and not only_stalls(words):
            return True
    return False
