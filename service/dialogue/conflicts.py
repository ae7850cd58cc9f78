"""A disagreement within a call, and how it is put into words for a reviewer and for the classifier."""

from dataclasses import dataclass, field

from service.dialogue.assertions import Assertion
from service.dialogue.clauses import clauses
from service.dialogue.reading import LineReading
from service.dialogue.terms import TermCategory
from streams.messages import Related, Severity, Span

LOST_WORDS = frozenset({"lost_negation", "lost_quantity", "lost_term"})
"""Kinds that say that a line lacks a word, not that it contradicts another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """One disagreement between a new line and an earlier one, or within a line.

    Attributes:
        kind: Reason code, such as `negation_conflict`, `number_conflict`, `side_conflict`, `read_back_conflict`,
            or one of `LOST_WORDS`.
        subject: What it is about, in canonical words ("fever"); names one problem for the cooldown.
        span: The words of the new segment that disagree.
        earlier: The earlier segment and the words there; None where the line disagrees with itself.
        explanation: One plain sentence for the reviewer.
        premise: The earlier assertion as a plain sentence for the classifier.
        hypothesis: The new assertion as a plain sentence for the classifier.
        confirm: Whether the classifier must confirm it; False where the text alone proves it (two numbers).
        severity: How bad it is if it is a mishearing.
        strength: How sure the rules are, 0..1.
    """

    kind: str
    subject: str = field(repr=False)
    span: Span | None
    earlier: Related | None
    explanation: str = field(repr=False)
    premise: str = field(default="", repr=False)
    hypothesis: str = field(default="", repr=False)
    confirm: bool = False
    severity: Severity
    strength: float


_SAYINGS: dict[str, tuple[str, str]] = {
    "smoking": ("i smoke", "i do not smoke"),
    "alcohol": ("i drink alcohol", "i do not drink alcohol"),
    "recreational drugs": ("i take recreational drugs", "i do not take recreational drugs"),
    "exercise": ("i exercise", "i do not exercise"),
    "pregnancy": ("i am pregnant", "i am not pregnant"),
    "allergy": ("i have an allergy", "i have no allergies"),
}
_VERBS: dict[TermCategory, tuple[str, str]] = {
    "drug": ("i take {}", "i do not take {}"),
    "procedure": ("i had {}", "i have not had {}"),
}
_HAVING = ("i have {}", "i do not have {}")


def plain_sentence(subject: str, category: TermCategory, *, denied: bool) -> str:
    """An assertion as a short first-person sentence: "i do not have fever"."""
    saying = _SAYINGS.get(subject) or _VERBS.get(category, _HAVING)
    return saying[denied].format(subject)


def as_said(reading: LineReading, made: Assertion) -> str:
    """A new assertion for the classifier: the clause that makes it in its own words, or what a yes or no amounts to.

    The speaker's own words let the classifier refuse what the rules took too plainly ("not massively anxious").
    """
    if made.answer:
        return plain_sentence(made.subject, made.category, denied=made.denied)
    words = reading.said.words
    first, last = next(limit for limit in clauses(words) if made.first <= limit[1])
    return " ".join(words[first : max(last, made.last) + 1])
