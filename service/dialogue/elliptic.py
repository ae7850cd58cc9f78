"""Answers that leave words to their question: "a seven" out of ten, "ten" of the days asked about, "the left" knee."""

from collections.abc import Mapping, Sequence

from service.dialogue.mentions import places_among
from service.dialogue.number_ranges import range_at
from service.dialogue.numbers import is_number_word
from service.dialogue.quantities import Quantity, QuantityKind, unit_asked
from service.dialogue.question_kinds import QuestionKind
from service.dialogue.questions import Question
from service.dialogue.sides import Side
from service.dialogue.terms import TermMatcher

_LONGEST = 8
_SCALED: Mapping[QuestionKind, tuple[QuantityKind, str]] = {"severity": ("scale", "ten")}
_SIDES = frozenset({"left", "right"})
_BEFORE_SIDE = frozenset("the my on it's it is just no yeah so mainly mostly more".split())


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
