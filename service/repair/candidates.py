"""Chooses which stretches of a line to put in question, and which terms might have been said there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.lexicon import Category, Lexicon
from service.dialogue.stopwords import STOPWORDS
from service.dialogue.tokens import Token
from service.repair.settings import RepairSettings
from service.repair.sound_distance import sound_distance
from service.repair.sound_index import SoundIndex

Kind = Literal["misheard", "confusable"]
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that may have been said in place of words `first` to `last` (inclusive).

    Attributes:
        kind: `misheard` where the words only sound like the term; `confusable` where they are a valid term
            themselves that is known to be mistaken for it.
        distance: How differently they sound.
        promise: Surprise of the words less the distance's price, in nats: what a repair may gain at best.
    """

    first: int
    last: int
    term: str = field(repr=False)
    category: Category
    kind: Kind
    distance: float
    promise: float


class CandidateFinder:
    """Finds repairs worth asking the language model about; bounded work for each line."""

    def __init__(self, lexicon: Lexicon, settings: RepairSettings) -> None:
        self._lexicon = lexicon
        self._settings = settings
        self._index = SoundIndex(lexicon, settings)

    def candidates(self, words: Sequence[Token], surprise: NDArray[np.float64]) -> list[Candidate]:
        """The most promising repairs of a line, known confusions first.

        Args:
            words: The line's words without hesitations.
            surprise: Of each word, nats.
        """
        texts = tuple(word.text for word in words)
        sounding = sorted(
            self._misheard(texts, surprise), key=lambda one: (-one.promise, one.first, one.term)
        )
        return [*self._confusable(texts, surprise), *sounding][: self._settings.variants]

    def _confusable(self, words: Words, surprise: NDArray[np.float64]) -> list[Candidate]:
        found = []
        for mention in self._lexicon.mentions(words):
            for other in self._lexicon.confusable(mention.term):
                heard, meant = (self._lexicon.sounds(term.split()) for term in (mention.term, other))
                distance = sound_distance(heard, meant)
                category = self._lexicon.category(other) or mention.category
                promise = float(surprise[mention.first : mention.last + 1].sum())
                found.append(
                    Candidate(mention.first, mention.last, other, category, "confusable", distance, promise)
                )
        return found

    def _misheard(self, words: Words, surprise: NDArray[np.float64]) -> list[Candidate]:
        spans = self._spans(words, surprise)
        alike = self._index.similar([words[first : last + 1] for first, last in spans])
        found = []
        for (first, last), likenesses in zip(spans, alike, strict=True):
            surprised = float(surprise[first : last + 1].sum())
            for likeness in likenesses:
                category = self._lexicon.category(likeness.term)
                promise = surprised - self._settings.distance_nats * likeness.distance
                if (
                    category is not None
                    and promise > 0
                    and likeness.term != " ".join(words[first : last + 1])
                ):
                    found.append(
                        Candidate(
                            first, last, likeness.term, category, "misheard", likeness.distance, promise
                        )
                    )
        return found

    def _spans(self, words: Words, surprise: NDArray[np.float64]) -> list[tuple[int, int]]:
        """Stretches that hold a suspicious word, the most surprising first."""
        total = np.concatenate(([0.0], np.cumsum(surprise)))
        spans = {
            (first, last)
            for at in np.flatnonzero(surprise >= self._settings.word_surprise)
            for first in range(max(0, int(at) - self._settings.span_words + 1), int(at) + 1)
            for last in range(int(at), min(len(words), first + self._settings.span_words))
            if total[last + 1] - total[first] >= self._settings.span_surprise
            and not (first == last and words[first] in STOPWORDS)
        }
        ordered = sorted(spans, key=lambda span: (total[span[0]] - total[span[1] + 1], span))
        return ordered[: self._settings.spans]
