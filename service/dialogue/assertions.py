"""What a line asserts: clinical subjects affirmed or denied, whose they are, when, and how surely.

A line is read together with the question it answers: "no" to "any fever or cough" denies both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.answers import Answer
from service.dialogue.clauses import clauses
from service.dialogue.mentions import Mention
from service.dialogue.negation import denied_words
from service.dialogue.questions import Question
from service.dialogue.stance import Experiencer, Stance, Temporality, experiencer_of, stance_of
from service.dialogue.terms import TermCategory
from service.dialogue.wording import Wording

_ANSWERED = 0.9
_PARTLY = 0.6
_SETTLED = 0.65


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
        stance = stance_of(words[first : last + 1])
        whose = experiencer_of(words, mention.first, by_staff=by_staff)
        made.append(_assertion(mention, stance, whose, denied=denies))
    return tuple(made)


def answered(answer: Answer, question: Question) -> tuple[Assertion, ...]:
    """What a yes or no asserts about the subjects of its question.

    Only a question for plain presence ("any fever or cough", "have you noticed a rash") is answered so: a no to
    "is the cough worse at night" says nothing about the cough.
    """
    if answer.polarity == "unknown" or not question.presence:
        return ()
    mentions = question.mentions
    denies = answer.polarity == "no"
    if not denies and (question.negative or len(mentions) > 1):
        return ()
    if experiencer_of(question.words, mentions[0].first - question.first, by_staff=True) != "patient":
        return ()
    certainty = _ANSWERED if answer.polarity in {"yes", "no"} and answer.explicit else _PARTLY
    return tuple(
        Assertion(
            mention.subject,
            mention.category,
            denies,
            "patient",
            "current",
            certainty,
            0,
            max(answer.words - 1, 0),
            answer=True,
            wide=mention.wide,
        )
        for mention in mentions
    )


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


def _asked_words(questions: Sequence[Question]) -> frozenset[int]:
    return frozenset(
        word
        for question in questions
        if question.form != "statement"
        for word in range(question.first, question.last + 1)
    )
