"""Takes negations away: "I haven't had any fever" becomes "I have had fever"."""

from collections.abc import Iterator
from random import Random

from service.dialogue.negation import NEGATORS
from service.perturbation.polarity.opposites import (
    BEFORE_NOT_IDIOMS,
    DENYING,
    DO_IDIOMS,
    NO_IDIOMS,
    NOT_IDIOMS,
    OPPOSITES,
    POSITIVE_OF,
    WITH_DO,
)
from service.perturbation.polarity.reading import Edits, Reading, clause_end, is_determiner

_STAMMER_REACH = 4
"""Words within which the same negation is a stammer."""
_TAG_REACH = 3
"""Words before a negation within which a "no" is the answer that it repeats."""
_SUBJECTS = frozenset("i you we they he she it that there".split())
_STILL = frozenset({"anymore"})
_SOME = {"anything": "something", "anyone": "someone", "anybody": "somebody", "anywhere": "somewhere"}


def turned_negations(reading: Reading, rng: Random) -> Iterator[Edits]:
    """Each negation, taken away."""
    for at in range(len(reading.words)):
        edits = affirmed(reading, at, rng)
        if edits:
            yield edits


def affirmed(reading: Reading, at: int, rng: Random) -> Edits | None:
    """The edits that take the negation at `at` away, with the words that only a negation allows."""
    word = reading.words[at]
    after = reading.words[at + 1] if at + 1 < len(reading.words) and at not in reading.ends else ""
    if word in POSITIVE_OF:
        new = _positive(word, after, rng)
    elif word == "not":
        new = _without_not(reading, at, after)
    elif word == "no":
        new = "" if is_determiner(reading, at) and after not in NO_IDIOMS else None
    elif word == "never":
        new = "" if after else None
    else:
        new = OPPOSITES.get(word) if _denies_alone(reading, at) else None
    if new is None:
        return None
    edits = {at: new} | _freed(reading, at) | dict.fromkeys(_stammered(reading, at), new)
    return edits | dict.fromkeys(_answers_before(reading, at), "yes")


def _positive(word: str, after: str, rng: Random) -> str | None:
    if after in DO_IDIOMS and POSITIVE_OF[word] == "do":
        return None
    if POSITIVE_OF[word] == "do" and after in WITH_DO and rng.random() < 0.5:
        return ""
    return POSITIVE_OF[word]


def _without_not(reading: Reading, at: int, after: str) -> str | None:
    before = reading.words[at - 1] if at else ""
    if not after or at in reading.stops or at == 0:
        return None
    if after in NOT_IDIOMS or after == "not" or before in BEFORE_NOT_IDIOMS:
        return None
    return "still" if after in _STILL or reading.words[at + 1 : at + 3] == ("any", "more") else ""


def _stammered(reading: Reading, at: int) -> Iterator[int]:
    """Repeats of the same words close by: "I don't, I don't think"."""
    words = reading.words
    near = range(max(at - _STAMMER_REACH, 1), min(at + _STAMMER_REACH + 1, len(words)))
    for again in near if at and words[at] not in DENYING else ():
        if again == at or words[again] != words[at]:
            continue
        if abs(again - at) == 1 or words[again - 1] == words[at - 1]:
            yield again


def _answers_before(reading: Reading, at: int) -> Iterator[int]:
    """The "no" that a negation at `at` says again: "no, I don't", "no, no fever"."""
    words = reading.words
    before = at - 1
    while (
        before >= 0 and at - before < _TAG_REACH and words[at] not in DENYING and words[before] in _SUBJECTS
    ):
        before -= 1
    while before >= 0 and words[before] in DENYING and not is_determiner(reading, before):
        yield before
        before -= 1


def _freed(reading: Reading, at: int) -> Edits:
    """What becomes of "any" and its like where the negation before them is gone."""
    words, edits = reading.words, Edits()
    for place in range(at + 1, clause_end(reading, at) + 1):
        word, after = words[place], words[place + 1] if place + 1 < len(words) else ""
        if word == "any":
            if after == "more":
                edits |= {place: "", place + 1: "" if words[at] == "not" else "still"}
            else:
                edits[place] = "some" if place in reading.ends or after in {"of", "in", "at"} else ""
        elif word in _STILL:
            edits[place] = "" if words[at] == "not" and place == at + 1 else "still"
        elif word in _SOME:
            edits[place] = _SOME[word]
        elif word == "ever":
            edits[place] = ""
        elif word == "either" and place in reading.ends:
            edits[place] = "too"
        elif word == "at" and after == "all":
            edits |= {place: "", place + 1: ""}
    return edits


def _denies_alone(reading: Reading, at: int) -> bool:
    """Whether nothing else in the sentence denies: "no issues, nothing unusual" says one thing twice."""
    first = max((end + 1 for end in reading.ends if end < at), default=0)
    last = min(end for end in reading.ends if end >= at)
    return all(
        place == at or reading.words[place] not in NEGATORS or not is_determiner(reading, place)
        for place in range(first, last + 1)
    )
