"""What a line asserts: clinical subjects affirmed or denied, whose they are, when, and how surely.

A line is read together with the question it answers: "no" to "any fever or cough" denies both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from service.dialogue.answers import Answer, Polarity
from service.dialogue.clauses import clauses
from service.dialogue.experiencer import Experiencer, experiencer_of
from service.dialogue.mentions import Mention
from service.dialogue.negation import denied_words
from service.dialogue.presuppositions import presupposed
from service.dialogue.questions import Question
from service.dialogue.stance import DOUBTED, Stance, Temporality, stance_of
from service.dialogue.terms import TermCategory
from service.dialogue.wording import Wording

_ANSWERED = 0.9
_PARTLY = 0.6
_SETTLED = 0.65
_ONLY_BEFORE_NOW = frozenset(
    {("used", "to"), ("use", "to"), ("like", "this"), ("this", "bad"), ("so", "bad")}
)
_PAST_AUXILIARIES = frozenset("did was were had been ever have has".split())


@dataclass(frozen=True, slots=True)
class Assertion:
    """One subject, affirmed or denied.

    Attributes:
        first: First word it rests on, in the line's wording.
        last: Last word (inclusive).
        answer: Whether it follows from a yes or no to a question, rather than from a statement.
        wide: See `Mention.wide`.
    """

    subject: str = field(repr=False)
    category: TermCategory
    denied: bool
    experiencer: Experiencer
    temporality: Temporality
    certainty: float
    first: int
    last: int
    answer: bool = False
    wide: bool = False

    @property
    def settled(self) -> bool:
        """Whether it says how things are with the patient now, outright."""
        return self.experiencer == "patient" and self.temporality == "current" and self.certainty >= _SETTLED


def stated(
    said: Wording, questions: Sequence[Question], mentions: Sequence[Mention], *, by_staff: bool
) -> tuple[Assertion, ...]:
    """What the words themselves assert. What stands within a question asserts nothing."""
    words = said.words
    if not mentions:
        return ()
    asked = _asked_words(questions)
    denied = denied_words(words)
    limits = clauses(words)
    made: list[Assertion] = []
    for mention in mentions:
        denies = mention.first in denied
        if mention.first in asked or (mention.narrowed and denies):
            continue
        first, last = next(limit for limit in limits if mention.first <= limit[1])
        clause = words[first : last + 1]
        stance = stance_of(clause)
        if denies and stance.temporality == "ended":
            stance = Stance("current", stance.certainty)  # "I don't smoke any more"
        if denies and _was_not_so(clause):
            denies, stance = False, Stance("current", _PARTLY)
        whose = experiencer_of(words, mention.first, by_staff=by_staff)
        made.append(_assertion(mention, stance, whose, denied=denies))
    return tuple(made)


def answered(answer: Answer, question: Question) -> tuple[Assertion, ...]:
    """What an answer asserts about the subjects of its question.

    Only a question for plain presence ("any fever or cough", "have you noticed a rash") is settled by a yes or no: a no
    to "is the cough worse at night" says nothing about the cough.
    """
    polarity = about_subject(answer, question)
    if polarity is None or not question.presence:
        return ()
    mentions = question.mentions
    if polarity != "no" and len(mentions) > 1 and not answer.of_all:
        return ()
    return tuple(_given(mention, answer, question, polarity) for mention in mentions)


def taken_for_granted(question: Question, answer: Answer | None) -> tuple[Assertion, ...]:
    """What an answer leaves standing of what its question took for granted: the cough of "how long have you had it"."""
    if answer is not None and answer.polarity == "no" and question.form == "wh":
        return ()
    return tuple(
        Assertion(mention.subject, mention.category, False, "patient", "current", _PARTLY, 0, 0, answer=True)
        for mention in presupposed(question)
    )


def about_subject(answer: Answer, question: Question) -> Polarity | None:
    """What an answer says of the thing asked about; None where the same words may mean either.

    After "so no fever?" both "no" and "that's right" deny it, "I have" affirms it, and a mere "yeah" may do either.
    """
    if not question.negative or answer.polarity != "yes":
        return answer.polarity
    if answer.form == "word":
        return None
    return "yes" if answer.form == "verb" else "no"


def _given(mention: Mention, answer: Answer, question: Question, polarity: Polarity) -> Assertion:
    certainty = _ANSWERED if polarity in {"yes", "no"} and answer.explicit else _PARTLY
    once = polarity != "no" and ("ever" in question.words or (answer.past and not _asks_of_past(question)))
    return Assertion(
        mention.subject,
        mention.category,
        polarity == "no",
        experiencer_of(question.words, mention.first - question.first, by_staff=True),
        "past" if once else "current",
        DOUBTED if polarity == "unknown" else certainty,
        0,
        max(answer.words - 1, 0),
        answer=True,
        wide=mention.wide,
    )


def _asks_of_past(question: Question) -> bool:
    return not _PAST_AUXILIARIES.isdisjoint(question.words)


def _assertion(mention: Mention, stance: Stance, whose: Experiencer, *, denied: bool) -> Assertion:
    return Assertion(
        mention.subject,
        mention.category,
        denied,
        whose,
        stance.temporality,
        stance.certainty,
        mention.first,
        mention.last,
        wide=mention.wide,
    )


def _was_not_so(clause: Sequence[str]) -> bool:
    """Whether what is denied of earlier times is so now: "I never used to get headaches", "never a pain like this"."""
    return any(pair in _ONLY_BEFORE_NOW for pair in pairwise(clause))


def _asked_words(questions: Sequence[Question]) -> frozenset[int]:
    return frozenset(
        word
        for question in questions
        if question.form != "statement"
        for word in range(question.first, question.last + 1)
    )
