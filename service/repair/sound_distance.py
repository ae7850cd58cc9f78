"""How differently two pronunciations sound: edit distance in which near sounds are cheap to exchange.

Costs follow articulation. Vowels lie in the plane of tongue height and backness, diphthongs by where they begin
and glide to; consonants differ in voicing, place and manner. Losing or gaining a weak sound (h, a schwa, the r
that British English does not speak) costs little. Word boundaries do not count.
"""

import math
from collections.abc import Mapping

from models.lexicon.phonemes import LETTERS, VOWELS

# Height and backness of where a vowel begins and ends, 0..1.
_VOWEL_PLACES = {
    "IY": (1.0, 0.0, 1.0, 0.0), "IH": (0.85, 0.15, 0.85, 0.15), "EH": (0.5, 0.1, 0.5, 0.1),
    "AE": (0.2, 0.15, 0.2, 0.15), "AA": (0.0, 0.75, 0.0, 0.75), "AO": (0.3, 1.0, 0.3, 1.0),
    "AH": (0.4, 0.55, 0.4, 0.55), "UH": (0.85, 0.85, 0.85, 0.85),
    "UW": (1.0, 1.0, 1.0, 1.0), "EY": (0.6, 0.05, 0.95, 0.05), "OW": (0.5, 0.8, 0.9, 0.95),
    "AY": (0.05, 0.5, 0.9, 0.15), "AW": (0.05, 0.5, 0.9, 0.9), "OY": (0.4, 0.95, 0.9, 0.15),
}  # fmt: skip
# Voiced, place from lips (0) to throat (1), manner.
_CONSONANTS = {
    "P": (0, 0.0, "stop"), "B": (1, 0.0, "stop"), "T": (0, 0.45, "stop"), "D": (1, 0.45, "stop"),
    "K": (0, 0.8, "stop"), "G": (1, 0.8, "stop"),
    "F": (0, 0.1, "fricative"), "V": (1, 0.1, "fricative"), "TH": (0, 0.3, "fricative"),
    "DH": (1, 0.3, "fricative"), "S": (0, 0.45, "fricative"), "Z": (1, 0.45, "fricative"),
    "SH": (0, 0.6, "fricative"), "ZH": (1, 0.6, "fricative"), "HH": (0, 1.0, "fricative"),
    "M": (1, 0.0, "nasal"), "N": (1, 0.45, "nasal"), "NG": (1, 0.8, "nasal"),
    "L": (1, 0.45, "approximant"), "R": (1, 0.55, "approximant"), "Y": (1, 0.7, "approximant"),
    "W": (1, 0.2, "approximant"),
}  # fmt: skip
_MANNER_COST = {
    frozenset(("stop", "fricative")): 0.5,
    frozenset(("stop", "nasal")): 0.55,
    frozenset(("nasal", "approximant")): 0.5,
}
_OTHER_MANNER_COST = 0.75
_VOICING_COST = 0.2
_PLACE_COST = 0.8
_VOWEL_COST = 0.75
_VOWEL_AGAINST_CONSONANT = 1.3
_GLIDES = {("UW", "W"): 0.4, ("IY", "Y"): 0.4, ("AH", "R"): 0.5, ("AH", "L"): 0.7, ("UH", "W"): 0.5}
_LOST = {
    "HH": 0.25,
    "AH": 0.35,
    "IH": 0.45,
    "R": 0.4,
    "Y": 0.4,
    "W": 0.45,
    "T": 0.6,
    "D": 0.6,
    "L": 0.6,
    "N": 0.65,
}
_OTHER_VOWEL_LOST = 0.6
_OTHER_CONSONANT_LOST = 0.8


def _exchange(first: str, second: str) -> float:
    if first == second:
        return 0.0
    glide = _GLIDES.get((first, second)) or _GLIDES.get((second, first))
    if glide:
        return glide
    if first in _VOWEL_PLACES and second in _VOWEL_PLACES:
        apart: float = sum(
            (one - other) ** 2 for one, other in zip(_VOWEL_PLACES[first], _VOWEL_PLACES[second], strict=True)
        )
        return min(_VOWEL_COST, 0.1 + _VOWEL_COST * math.sqrt(apart / 2))
    if first in _CONSONANTS and second in _CONSONANTS:
        return _consonants(first, second)
    return _VOWEL_AGAINST_CONSONANT


def _consonants(first: str, second: str) -> float:
    (voice, place, manner), (other_voice, other_place, other_manner) = _CONSONANTS[first], _CONSONANTS[second]
    by_manner = (
        0.0
        if manner == other_manner
        else _MANNER_COST.get(frozenset((manner, other_manner)), _OTHER_MANNER_COST)
    )
    return min(
        1.0, _VOICING_COST * (voice != other_voice) + _PLACE_COST * abs(place - other_place) + by_manner
    )


def _lost(name: str) -> float:
    return _LOST.get(name, _OTHER_VOWEL_LOST if LETTERS[name] in VOWELS else _OTHER_CONSONANT_LOST)


EXCHANGE: Mapping[str, Mapping[str, float]] = {
    LETTERS[first]: {LETTERS[second]: _exchange(first, second) for second in LETTERS} for first in LETTERS
}
"""Cost of hearing one sound as another, by their letters."""

LOSS: Mapping[str, float] = {LETTERS[name]: _lost(name) for name in LETTERS}
"""Cost of losing or inventing a sound."""


def sound_distance(heard: str, meant: str, limit: float = math.inf) -> float:
    """The cheapest way to hear `heard` where `meant` was said; 0 for the same sounds.

    One exchange of clearly different sounds costs about 1. Takes len(heard) * len(meant) steps, fewer where the
    distance is beyond the limit: then it is infinite.
    """
    above = [0.0]
    for sound in meant:
        above.append(above[-1] + LOSS[sound])
    for sound in heard:
        exchange, loss = EXCHANGE[sound], LOSS[sound]
        left = above[0] + loss
        row = [left]
        for at, wanted in enumerate(meant):
            best = above[at] + exchange[wanted]
            if (dropped := above[at + 1] + loss) < best:
                best = dropped
            if (added := left + LOSS[wanted]) < best:
                best = added
            row.append(best)
            left = best
        if min(row) > limit:
            return math.inf
        above = row
    return above[-1]
