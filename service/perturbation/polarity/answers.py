"""Turns an answer: the yes or no that a segment begins with, its repeats, and the words that agree with it."""

from random import Random

from service.dialogue.negation import NEGATORS
from service.perturbation.polarity.negations import affirmed
from service.perturbation.polarity.opposites import AFFIRMING, DENYING, NO_IDIOMS, POSITIVE_OF
from service.perturbation.polarity.reading import Edits, Reading, is_determiner
from service.perturbation.polarity.statements import denied

_TAG_REACH = 3
"""Words after a "no" within which a negation belongs to it: "no, I don't"."""
_PHRASE_WORDS = 6
"""Longest phrase with "not" that is an answer by itself: "not that I know of"."""


def turned_answer(reading: Reading, answers: bool, rng: Random) -> Edits | None:
    """The answer that the words begin with, its repeats, and the tag after it, turned round."""
    if not answers or not reading.words:
        return None
    if reading.words[0] == "not":
        phrase = _negative_tag(reading, 0, rng)
        return phrase and phrase | {0: rng.choice(("yes", "yeah"))}
    if reading.words[0] not in AFFIRMING | DENYING:
        return None
    kind = AFFIRMING if reading.words[0] in AFFIRMING else DENYING
    opposite = "no" if kind is AFFIRMING else rng.choice(("yes", "yeah"))
    edits: Edits = {}
    at = 0
    while at < len(reading.words) and reading.words[at] in kind:
        if is_determiner(reading, at):
            break
        if at not in reading.stops and reading.words[at + 1 : at + 2] and reading.words[at + 1] in NO_IDIOMS:
            return None
        edits[at] = opposite
        at += 1
    if not edits:
        return None
    tag = _negative_tag(reading, at, rng) if kind is DENYING else _positive_tag(reading, at)
    return None if tag is None else edits | tag


def _negative_tag(reading: Reading, at: int, rng: Random) -> Edits | None:
    """What makes the words after a "no" agree with the "yes" that it becomes; None where nothing can."""
    words = reading.words
    if words[at : at + 1] == ("not",):
        end = next(end for end in sorted(reading.ends) if end >= at)
        return dict.fromkeys(range(at, end + 1), "") if end - at < _PHRASE_WORDS else None
    near = range(at, min(at + _TAG_REACH, len(words)))
    negation = next(
        (place for place in near if words[place] in NEGATORS or words[place] in POSITIVE_OF), None
    )
    if negation is None:
        return {}
    return affirmed(reading, negation, rng) or {}


def _positive_tag(reading: Reading, at: int) -> Edits:
    """The same after a "yes"."""
    return {} if at >= len(reading.words) else denied(reading, at) or denied(reading, at + 1) or {}
