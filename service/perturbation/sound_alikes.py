"""What a word may be misheard as: common English words, or two in a row, that sound like it.

Two steps as in repair: plain edit distances to the whole vocabulary at once, then the sound distance to the nearest.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from models.lexicon import Lexicon
from service.perturbation.same_word import same_word
from service.repair.sound_distance import sound_distance

_COMMON, _EVERYDAY = 62.0, 72.0
"""Least commonness of a word that stands alone, and of one of two in a row."""
_MOST_COMMON = 80.0
_DISTANCE = 0.36
"""Largest sound distance, for each sound of the longer."""
_NATS_OF_DISTANCE, _NATS_OF_A_SECOND_WORD = 3.0, 1.5
"""What makes a hearing unlikely, beside the rareness of its words."""
_NEIGHBOURS, _PIECES, _OFFERED = 40, 8, 6
"""Words measured in all, words tried for each part of two, and hearings offered."""
_SHORTEST, _SHORTEST_SPLIT = 3, 5
"""Least sounds of a word that may be misheard, and misheard as two."""
_CONTRACTED = "he's i'll i'm i've it's she's that's they're we're you're".split()
"""Everyday words that frequency lists do not count."""
_ONE_LETTER = frozenset({"a", "i"})
_VOWELS = frozenset("aeiouy")
_MASKED_WORDS = "masked_words.txt"
_DIGITS = 6
_REMEMBERED = 10_000


class SoundAlikes:
    """Words that are mistaken for others. Remembers what it has looked up.

    Args:
        lexicon: How words sound and how common they are.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        masked = _masked_words()
        words = [word for word in lexicon.common_words(_COMMON) if _writable(word) and word not in masked]
        self._all = _Vocabulary(lexicon, words)
        self._everyday = _Vocabulary(
            lexicon, [*(word for word in words if _commonness(lexicon, word) >= _EVERYDAY), *_CONTRACTED]
        )
        self._drugs = _Vocabulary(
            lexicon, [term for term in lexicon.suggested if lexicon.category(term) == "drug"]
        )
        self.words = lru_cache(_REMEMBERED)(self._words)
        self.drugs = lru_cache(_REMEMBERED)(self._drug_names)

    def _words(self, word: str) -> tuple[str, ...]:
        """What the word may be misheard as, the likeliest first; never a form of the word itself."""
        meant = self._lexicon.sounds([word])
        if len(meant) < _SHORTEST:
            return ()
        single = ((heard, 0.0) for heard in self._all.nearest(meant, _NEIGHBOURS))
        double = ((heard, _NATS_OF_A_SECOND_WORD) for heard in dict.fromkeys(self._in_two(meant)))
        return self._likeliest(word, meant, [*single, *double])

    def _drug_names(self, name: str) -> tuple[str, ...]:
        """Other drugs that the drug may be misheard as, those known to be confused first."""
        meant = self._lexicon.sounds(name.split())
        near = ((other, 0.0) for other in self._drugs.nearest(meant, _NEIGHBOURS))
        known = [other for other in self._lexicon.confusable(name) if not same_word(name, other)]
        return tuple(dict.fromkeys([*sorted(known), *self._likeliest(name, meant, near)]))[:_OFFERED]

    def _in_two(self, meant: str) -> Iterable[str]:
        if len(meant) < _SHORTEST_SPLIT:
            return
        for at in range(1, len(meant)):
            heads = self._everyday.nearest(meant[:at], _PIECES)
            tails = self._everyday.nearest(meant[at:], _PIECES)
            yield from (f"{head} {tail}" for head in heads for tail in tails if head != tail)

    def _likeliest(self, word: str, meant: str, heard: Iterable[tuple[str, float]]) -> tuple[str, ...]:
        priced = sorted(
            (round(price + extra, _DIGITS), one)
            for one, extra in heard
            if (price := self._price(meant, one)) < math.inf
        )
        return tuple(islice((one for _, one in priced if not same_word(word, one)), _OFFERED))

    def _price(self, meant: str, heard: str) -> float:
        """Nats that it takes to hear this: for its distance, and for how rare its words are."""
        words = heard.split()
        sounds = self._lexicon.sounds(words)
        limit = _DISTANCE * max(len(sounds), len(meant))
        distance = sound_distance(sounds, meant, limit)
        if distance > limit:
            return math.inf
        rarest = min(_commonness(self._lexicon, word) for word in words)
        return _NATS_OF_DISTANCE * distance + max(0.0, _MOST_COMMON - rarest) / 10 * math.log(10) / 2


class _Vocabulary:
    """Words by their sounds."""

    def __init__(self, lexicon: Lexicon, words: Sequence[str]) -> None:
        self._words = words
        self._sounds = [lexicon.sounds(word.split()) for word in words]
        self._lengths = np.array([len(sounds) for sounds in self._sounds], dtype=np.float64)
        self._rarity = np.array([-min(_commonness(lexicon, one) for one in word.split()) for word in words])
        self.nearest = lru_cache(_REMEMBERED)(self._nearest)

    def _nearest(self, meant: str, most: int) -> tuple[str, ...]:
        """Words whose sounds differ least, the commoner of equals first."""
        if not self._words:
            return ()
        apart: NDArray[np.float64] = cdist(
            [meant], self._sounds, scorer=Levenshtein.distance, dtype=np.uint8
        )[0] / np.maximum(self._lengths, len(meant))
        order = np.lexsort((self._rarity, apart))[:most]
        return tuple(self._words[at] for at in order.tolist())


def _commonness(lexicon: Lexicon, word: str) -> float:
    return _MOST_COMMON if word in _CONTRACTED else lexicon.commonness(word) or _COMMON


def _masked_words() -> frozenset[str]:
    lines = files(__package__).joinpath(_MASKED_WORDS).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _writable(word: str) -> bool:
    """Whether a recogniser writes it: no abbreviations, no single letters."""
    return word.isalpha() and not _VOWELS.isdisjoint(word) and (len(word) > 1 or word in _ONE_LETTER)
