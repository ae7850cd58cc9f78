"""Whether an answer is of a kind that its question can have: a side is none to "how long", nor three weeks to "any".

Only short answers are judged, and only those that hold nothing but another kind: whoever says more may come to the
point later, and whoever tells neither number, time, side, place nor drug may be telling anything.
"""

from collections.abc import Iterator
from typing import Literal

from service.dialogue.quantities import QuantityKind
from service.dialogue.question_kinds import QuestionKind
from service.dialogue.reading import LineReading
from service.dialogue.terms import TermCategory

AnswerKind = Literal["length", "date", "frequency", "amount", "scale", "side", "place", "drug", "finding"]

_LONGEST = 7
_OF_QUANTITY: dict[QuantityKind, AnswerKind] = {
    "time": "length",
    "clock_time": "date",
    "age": "date",
    "frequency": "frequency",
    "dose": "amount",
    "amount": "amount",
    "scale": "scale",
}
_OF_TERM: dict[TermCategory, AnswerKind] = {"drug": "drug", "symptom": "finding", "condition": "finding"}
_DATES = frozenset(
    "since yesterday today tonight ago monday tuesday wednesday thursday friday saturday sunday january february march "
    "april june july august september october november december christmas easter overnight".split()
)
_FREQUENT = frozenset("always constantly daily sometimes occasionally often rarely never once twice".split())
_TIMES: frozenset[AnswerKind] = frozenset({"length", "date", "frequency"})
_NUMBERS: frozenset[AnswerKind] = frozenset({"amount", "frequency", "scale"})
_FITTING: dict[QuestionKind, frozenset[AnswerKind]] = {
    "duration": _TIMES,
    "onset": _TIMES,
    "frequency": _TIMES | _NUMBERS,
    "severity": _NUMBERS | {"finding"},
    "side": frozenset({"side", "place"}),
    "location": frozenset({"side", "place", "finding"}),
    "dose": _NUMBERS | {"drug"},
}
_AFTER_YES: frozenset[AnswerKind] = frozenset(
    {"date", "frequency", "amount", "scale", "side", "place", "drug", "finding"}
)
"""What an answer without its yes may tell ("ten a day"); a mere length of time leaves open of what."""
_OPENING_LENGTH = frozenset("for since about over last past the".split()) - {"about"}


def fits_question(reading: LineReading) -> bool | None:
    """Whether a line can answer its question; None where it answers none, or an answer was begun before."""
    question, answer = reading.question, reading.answer
    if question is None or not reading.begins:
        return None
    told = frozenset(_told(reading))
    if (
        not told
        or len(reading.said.words) > _LONGEST
        or (answer is not None and answer.polarity == "unknown")
    ):
        return True
    if question.form in {"wh", "request"} or question.kind == "side":
        return question.kind not in _FITTING or not told.isdisjoint(_FITTING[question.kind])
    if answer is not None or question.form == "choice" or not _OPENING_LENGTH.isdisjoint(reading.said.words):
        return True
    return not told.isdisjoint(_AFTER_YES)


def _told(reading: LineReading) -> Iterator[AnswerKind]:
    words = reading.said.words
    for quantity in reading.quantities:
        if quantity.kind in _OF_QUANTITY:
            yield "date" if quantity.ago else _OF_QUANTITY[quantity.kind]
    if not _DATES.isdisjoint(words):
        yield "date"
    if not _FREQUENT.isdisjoint(words):
        yield "frequency"
    if reading.sides:
        yield "side"
    if reading.places:
        yield "place"
    for mention in reading.mentions:
        if mention.category in _OF_TERM:
            yield _OF_TERM[mention.category]
