"""How much commoner a word is in consultations than in English at large.

A general language model expects a general world: of "coffee" and "cough" it finds the first likelier than a
consultation does. Scaling its probabilities by the ratio of two word frequencies, to a power, is the published way
to adapt one by word counts alone: Kneser, Peters and Klakow, "Language model adaptation using dynamic marginals",
Eurospeech 1997. The counts are those of `consultation_words.json`, which
`python -m service.calibration.consultation_words` writes.
"""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

import orjson

from models.lexicon import Lexicon

SHIPPED_COUNTS = files("service.repair") / "consultation_words.json"

_PRIOR_COUNT = 2.0
"""Added to both counts, so that a word that is rare in both leans nowhere."""
_REMEMBERED_WORDS = 50_000


class ConsultationWords:
    """Words that consultations use more, or less, than other English.

    Args:
        counts: How often each word was counted in consultations.
        counted: Words that were counted altogether.
        english: Ten times the common logarithm of how often English at large uses each word.
    """

    def __init__(self, counts: Mapping[str, int], counted: int, english: Mapping[str, int]) -> None:
        self._counts = counts
        self._english = english
        total = sum(10 ** (commonness / 10) for commonness in english.values())
        self._share = counted / max(1.0, total)
        self._leaning_of = lru_cache(_REMEMBERED_WORDS)(self._of_word)

    def leaning(self, words: Iterable[str]) -> float:
        """By how many nats consultations make the words likelier than English at large does."""
        return sum(map(self._leaning_of, words))

    def _of_word(self, word: str) -> float:
        commonness = self._english.get(word)
        if commonness is None or "'" in word:  # books do not use contractions as speech does
            return 0.0
        expected = self._share * 10 ** (commonness / 10)
        return math.log((self._counts.get(word, 0) + _PRIOR_COUNT) / (expected + _PRIOR_COUNT))


def shipped_consultation_words(lexicon: Lexicon) -> ConsultationWords:
    """Those of published clinical dialogues, against the English that the lexicon has counted."""
    content = orjson.loads(SHIPPED_COUNTS.read_bytes())
    return ConsultationWords(content["counts"], content["counted"], lexicon.english_words)
