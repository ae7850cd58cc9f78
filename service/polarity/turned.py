"""A line turned round: with the other answer, or with a negation put in that it may have lost.

A line whose yes or no was misheard differs in one word from what was said: a minimal pair, of which the language
model says which fits its dialogue (as grammar is tested by Linzen, Dupoux and Goldberg, 2016).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_MOST_LEADS = 3
_LEADS = frozenset(
    "okay oh well so actually honestly like and but right mean i'd say then to be honest sorry i".split()
)
_YES = frozenset("yes yeah yep yup yea".split())
_NO = frozenset("no nope nah".split())
_AGREEING: Final = ("yes", "yeah")
_DENYING: Final = ("no",)
"""The usual words of either answer."""
_SUBJECTS = frozenset("i we you they he she it there that this".split())
_CONTRACTED_NOT: Final = {
    "do": "don't",
    "does": "doesn't",
    "did": "didn't",
    "has": "hasn't",
    "had": "hadn't",
    "is": "isn't",
    "are": "aren't",
    "was": "wasn't",
    "were": "weren't",
    "can": "can't",
    "could": "couldn't",
    "will": "won't",
    "would": "wouldn't",
}
_CONTRACTED_VERBS: Final = {
    "i'm": ("i'm", "not"),
    "it's": ("it's", "not"),
    "that's": ("that's", "not"),
    "he's": ("he's", "not"),
    "she's": ("she's", "not"),
    "they're": ("they're", "not"),
    "i've": ("i", "haven't"),
    "we've": ("we", "haven't"),
}
_PLAIN_VERBS = frozenset(
    "think know feel get take smoke drink remember want like see notice use eat need believe mind sleep really "
    "usually normally suffer wear".split()
)
_AFTER_PERFECT = frozenset("had been got seen felt taken done gone eaten slept lost ever really even".split())
_AFTER_NOT = frozenset("that really at yet so like necessarily too very much currently always sure".split())


@dataclass(frozen=True, slots=True)
class Turned:
    """A line with other words in place of `first` up to `end` (exclusive; the same where words are only put in)."""

    first: int
    end: int
    put_in: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TurnedAnswer:
    """A line that opens with yes or no, and how it reads with other words for the same and with the opposite."""

    at: int
    same: tuple[Turned, ...]
    opposite: tuple[Turned, ...]


def turned_answer(words: Sequence[str]) -> TurnedAnswer | None:
    """The other answers that a line could give; None where it opens with neither yes nor no."""
    for at, word in enumerate(words[: _MOST_LEADS + 1]):
        if word in _YES:
            return _answers(at, word, _AGREEING, _DENYING)
        if word in _NO:
            return _answers(at, word, _DENYING, _AGREEING)
        if word not in _LEADS:
            return None
    return None


def _answers(at: int, said: str, same: Sequence[str], opposite: Sequence[str]) -> TurnedAnswer:
    return TurnedAnswer(
        at,
        tuple(Turned(at, at + 1, (word,)) for word in same if word != said),
        tuple(Turned(at, at + 1, (word,)) for word in opposite),
    )


def with_negations(words: Sequence[str]) -> list[Turned]:
    """The line with a negation put in, once at each place that takes one, from left to right."""
    return [turned for at in range(len(words)) if (turned := _negated_at(words, at)) is not None]


def _negated_at(words: Sequence[str], at: int) -> Turned | None:
    word, before, after = words[at], words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if after == "not":
        return None
    if word in _CONTRACTED_VERBS:
        return Turned(at, at + 1, _CONTRACTED_VERBS[word])
    if before in _SUBJECTS and word in _CONTRACTED_NOT:
        return Turned(at, at + 1, (_CONTRACTED_NOT[word],))
    if before in _SUBJECTS and word == "am":
        return Turned(at + 1, at + 1, ("not",))
    if before in _SUBJECTS and word == "have":
        perfect = after in _AFTER_PERFECT or after.endswith("ed")
        return Turned(at, at + 1, ("haven't",) if perfect else ("don't", "have"))
    if before in {"i", "we", "they", "you"} and word in _PLAIN_VERBS:
        return Turned(at, at, ("don't",))
    if word in _AFTER_NOT and (not at or before in _YES | _NO):
        return Turned(at, at, ("not",))
    return None
