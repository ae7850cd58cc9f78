"""Answers that leave words to their question: "a seven" out of ten, "the left" knee, "my knees" for a yes."""

from collections.abc import Mapping, Sequence

from service.dialogue.answers import Answer
from service.dialogue.mentions import Mention, places_among
from service.dialogue.negation import denied_words
from service.dialogue.number_ranges import range_at
from service.dialogue.numbers import is_number_word
from service.dialogue.quantities import Quantity, QuantityKind, unit_asked
from service.dialogue.question_kinds import QuestionKind
from service.dialogue.questions import Question
from service.dialogue.sides import Side
from service.dialogue.terms import TermMatch, TermMatcher

_LONGEST = 8
_SCALED: Mapping[QuestionKind, tuple[QuantityKind, str]] = {"severity": ("scale", "ten")}
_SIDES = frozenset({"left", "right"})
_ASKS_WHICH: frozenset[QuestionKind] = frozenset({"drug", "history", "allergy"})
_BEFORE_NAME = frozenset("just only the a an my some and".split())
_COUNTS = frozenset({"one", "two", "three", "several"})
_AFTER_COUNT = frozenset({(), ("when",), ("as",), ("or",), ("but",), ("in",), ("of",)})
_OFTEN = frozenset("always constantly often sometimes usually mostly regularly".split())
_BEFORE_PLACE = frozenset(
    "just only in on my the both round around mainly mostly left right side lower upper".split()
)
_BEFORE_SIDE = frozenset("the my on it's it is just no yeah so mainly mostly more".split())


def answer_by_place(words: Sequence[str], places: Sequence[TermMatch], question: Question) -> Answer | None:
    """A yes that only says where: "my knees" to "any joint pain"."""
    if not places or len(words) > _LONGEST or question.negative or question.form != "yes_no":
        return None
    (first, *_) = places
    if not _BEFORE_PLACE.issuperset(words[: first.first]) or not any(
        mention.category == "symptom" for mention in question.mentions
    ):
        return None
    return Answer("yes", first.last + 1, explicit=False)


def answer_by_naming(words: Sequence[str], mentions: Sequence[Mention], question: Question) -> Answer | None:
    """A yes that only says which: "just the pill" to "any regular medication", "penicillin" to "any allergies"."""
    if question.form != "yes_no" or question.negative or question.kind not in _ASKS_WHICH:
        return None
    if (
        len(words) > _LONGEST
        or denied_words(words)
        or any(one.category != "topic" for one in question.mentions)
    ):
        return None
    first = next((at for at, word in enumerate(words) if word not in _BEFORE_NAME), len(words))
    names = bool(mentions) and mentions[0].first <= first
    alone = words[:1] in (("just",), ("only",)) and 1 < first < len(words)
    return Answer("yes", len(words), explicit=False) if names or alone else None


def answer_by_sense(words: Sequence[str], question: Question) -> Answer | None:
    """A short statement that amounts to a yes or no: "they've never told me I have", "one, as a kid".

    The caller has seen to it that the line opens with no answer and speaks of nothing else.
    """
    if question.form != "yes_no" or question.negative or not question.presence or len(words) > _LONGEST:
        return None
    if denied_words(words):
        return Answer("no", len(words), explicit=False)
    counted = not _COUNTS.isdisjoint(words[:1]) and tuple(words[1:2]) in _AFTER_COUNT
    return Answer("yes", len(words), explicit=False) if counted or not _OFTEN.isdisjoint(words) else None


def elliptic_quantity(words: Sequence[str], question: Question) -> Quantity | None:
    """The number of a short answer that names no unit, with the unit that its question asks for."""
    asked = (unit_asked(question.words) or _SCALED.get(question.kind)) if len(words) <= _LONGEST else None
    at = next((at for at, word in enumerate(words) if is_number_word(word)), None)
    number = range_at(words, at) if asked is not None and at is not None else None
    if asked is None or at is None or number is None:
        return None
    end, low, high, vague = number
    return Quantity(at, end - 1, *asked, low, high, vague)


def elliptic_side(words: Sequence[str], question: Question, matcher: TermMatcher) -> Side | None:
    """The one side that a short answer names without its place: that of its question, or of the body."""
    named = [at for at, word in enumerate(words) if word in _SIDES]
    if len(words) > _LONGEST or len(named) != 1 or question.kind != "side":
        return None
    (at,) = named
    if not _BEFORE_SIDE.issuperset(words[:at]):
        return None
    place = next((term.canonical for term in places_among(matcher.match(question.words))), "side")
    return Side(place, "left" if words[at] == "left" else "right", at, at)
