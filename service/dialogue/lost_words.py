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
_STRENGTH_DOUBTFUL = 0.5
_AFTER_ANY = frozenset("to for from with around either because twice once".split())
_AFTER_ARTICLE = frozenset("at for from with but because twice".split())
_BEFORE_LETTERS = frozenset("doctor vitamin hepatitis type grade".split())
_NEVER_AFTER = (
    {
        "any": _AFTER_ANY,
        "maybe": frozenset({"or"}),
        "probably": frozenset({"or"}),
        "almost": frozenset({"or"}),
    }
    | {"least": frozenset({"or"})}
    | dict.fromkeys(("a", "an", "my", "your", "his", "their", "our", "the"), _AFTER_ARTICLE)
)
_VOWELS = frozenset("aeiou")
_SOUNDED_VOWEL = frozenset("hxy")
"""Letters that a word may begin with after "an", though they are no vowels: "an hour", "an x-ray"."""
_SHORTEST_WORD = 4
_ANY_AT_ALL = ("any", "at", "all")
_VERB_BEFORE = 2
"""Words before "any at all" that make it a sentence: alone it asks on."""
_OPENING_OBJECT = frozenset("any anything some certain".split())


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
    """A word that needs a noun after it and has none: what it introduced was dropped, or not understood as a word."""
    words = reading.said.words
    for at, pair in enumerate(pairwise(words)):
        strength = _needs_noun(words, at) or _lacks_adjective(reading, at)
        if strength:
            yield Conflict(
                kind="lost_term",
                subject=" ".join(pair),
                span=reading.said.span(at, at + 1),
                earlier=None,
                explanation="A word is missing here: something is introduced and not named.",
                severity="medium",
                strength=strength,
            )


def _needs_noun(words: Sequence[str], at: int) -> float:
    """How sure it is that a word between these two is missing, 0..1: the first needs a noun, the second is none."""
    first, second = words[at], words[at + 1]
    before = words[at - 1] if at else ""
    if len(before) == 1 or before in _BEFORE_LETTERS:
        return 0.0  # spelled out, or a letter's name: "hepatitis a for"
    if second in _NEVER_AFTER.get(first, ()):
        return _STRENGTH_TERM
    if words[at : at + 3] == _ANY_AT_ALL and at >= _VERB_BEFORE:
        return _STRENGTH_DOUBTFUL
    return _STRENGTH_DOUBTFUL if first == "an" and _begins_with_consonant(second) else 0.0


def _begins_with_consonant(word: str) -> bool:
    """Whether "an" does not go before a word. Abbreviations that are spelled out ("mri") hold no vowel."""
    sounded = word[0] in _VOWELS or word[0] in _SOUNDED_VOWEL
    return len(word) >= _SHORTEST_WORD and not sounded and not _VOWELS.isdisjoint(word)


def _lacks_adjective(reading: LineReading, at: int) -> float:
    """The gap in "I'm to aspirin" and "are you to any medications": people are allergic to things."""
    words = reading.said.words
    subject = words[at] in {"i'm", "am"} or words[max(at - 1, 0) : at + 1] == ("are", "you")
    if not subject or words[at + 1] != "to" or at + 2 >= len(words):
        return 0.0
    drug = any(mention.first == at + 2 and mention.category == "drug" for mention in reading.mentions)
    return _STRENGTH_TERM if drug or words[at + 2] in _OPENING_OBJECT else 0.0


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
