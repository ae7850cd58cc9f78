"""Words that need another word, and stand without it: "it started ago", "do you have any to any medications"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from service.dialogue.conflicts import Conflict
from service.dialogue.numbers import is_number_word
from service.dialogue.reading import LineReading
from streams.messages import Severity

_BEFORE_AGO = frozenset(
    "second seconds minute minutes hour hours day days night nights week weeks month months year years decade "
    "decades fortnight sometime long while time times bit ages moment moments morning christmas "
    "monday tuesday wednesday thursday friday saturday sunday half two three so couple".split()
)
_DOSES = frozenset("milligrams micrograms millilitres".split())
_NUMBERS_BESIDE = frozenset(
    "few couple several many of hundred half a more some the in per how odd point".split()
)
_AFTER_LAST = frozenset(
    "few couple several little year week day month night hour weekend time one while bit half decade fortnight "
    "summer winter christmas number twenty fourteen however good long many years weeks months days hours and "
    "note notes visit visits appointment check part place resort".split()
)
_SPANS = {"for": "last past", "over": "last past next", "in": "last next", "within": "last next"}
_ALTERNATIVES = frozenset(
    "more less so something few a the half another both neither other maybe even whatever other's just thereabouts "
    "under over above below fewer whichever either not no".split()
)
_SPAN_OPENINGS = frozenset(
    ((preposition, "the", word) for preposition, words in _SPANS.items() for word in words.split())
)
_GOING_ON = frozenset("ago yeah okay it's we i you and but um depends like so".split())
_STRENGTH = 0.8
_STRENGTH_TERM = 0.6
_AFTER_ANY = frozenset("to for from with".split())
_AFTER_ARTICLE = frozenset("at for from with but because".split())
_BEFORE_LETTERS = frozenset("doctor vitamin hepatitis type grade".split())
_NEVER_AFTER = {"any": _AFTER_ANY} | dict.fromkeys(("a", "an", "my", "your"), _AFTER_ARTICLE)


def lost_quantity(reading: LineReading) -> Iterator[Conflict]:
    """Time and dose words whose number is missing."""
    words = reading.said.words
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word == "ago" and before not in _BEFORE_AGO:
            yield _conflict(reading, at, "time", "medium")
        elif word in _DOSES and not is_number_word(before) and before not in _NUMBERS_BESIDE:
            yield _conflict(reading, at, "dose", "high")
        elif word == "or" and _broken_range(words, at):
            yield _conflict(reading, at - 1, "number", "medium")
        elif (
            word in {"last", "past", "next"}
            and tuple(words[at - 2 : at + 1]) in _SPAN_OPENINGS
            and not _timed(words, at)
        ):
            yield _conflict(reading, at, "time", "medium")


def lost_term(reading: LineReading) -> Iterator[Conflict]:
    """A determiner whose noun is missing: what it introduced was dropped, or was not understood as a word."""
    words = reading.said.words
    for at, pair in enumerate(pairwise(words)):
        before = words[at - 1] if at else ""
        spelled = len(before) == 1 or before in _BEFORE_LETTERS
        if not spelled and pair[1] in _NEVER_AFTER.get(pair[0], ()):
            yield Conflict(
                kind="lost_term",
                subject=" ".join(pair),
                span=reading.said.span(at, at + 1),
                earlier=None,
                explanation="A word is missing here: something is introduced and not named.",
                severity="medium",
                strength=_STRENGTH_TERM,
            )


def _broken_range(words: Sequence[str], at: int) -> bool:
    """Whether a range breaks off: "five or ago". "One or" may be "one or the other"."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if before == "one" or not is_number_word(before) or not after:
        return False
    return not is_number_word(after) and after not in _ALTERNATIVES and after in _GOING_ON


def _timed(words: Sequence[str], at: int) -> bool:
    after = words[at + 1] if at + 1 < len(words) else ""
    return not after or after in _AFTER_LAST or is_number_word(after)


def _conflict(reading: LineReading, at: int, what: str, severity: Severity) -> Conflict:
    return Conflict(
        kind="lost_quantity",
        subject=f"{what} {reading.said.words[at]}",
        span=reading.said.span(at, at),
        earlier=None,
        explanation=f"A {what} is spoken of, but its number is missing.",
        severity=severity,
        strength=_STRENGTH,
    )
