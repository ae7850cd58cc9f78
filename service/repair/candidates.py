"""Chooses which stretches of a line to put in question, and which terms might have been said there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.lexicon import Category, Lexicon
from service.dialogue.numbers import is_number_word
from service.dialogue.stopwords import STOPWORDS
from service.dialogue.tokens import Token
from service.repair.settings import RepairSettings
from service.repair.sound_index import Likeness, SoundIndex

Kind = Literal["misheard", "confusable"]
Words = tuple[str, ...]

_SHARE_OF_OTHERS = 0.25
_BEFORE_NAMES = frozenset("doctor mister mr mrs miss missus ms name name's".split())
_NAME_WORDS = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that may have been said in place of words `first` to `last` (inclusive).

    Attributes:
        kind: `misheard` where the words only sound like the term; `confusable` where they are a valid term
            themselves that is known to be mistaken for it.
        price: Nats that the repair must gain to break even: for its distance in sound, and for valid terms
            that it would take away. Known confusions are free.
        promise: What the repair may gain at best, less its price and its rarity, in nats.
    """

    first: int
    last: int
    term: str = field(repr=False)
    category: Category
    kind: Kind
    price: float
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
        return [
            Candidate(
                mention.first,
                mention.last,
                other,
                self._lexicon.category(other) or mention.category,
                "confusable",
                price=0.0,
                promise=_hope(surprise[mention.first : mention.last + 1]),
            )
            for mention in self._lexicon.mentions(words)
            for other in self._lexicon.confusable(mention.term)
        ]

    def _misheard(self, words: Words, surprise: NDArray[np.float64]) -> list[Candidate]:
        spans = self._spans(words, surprise)
        alike = self._index.similar([words[first : last + 1] for first, last in spans])
        found: dict[tuple[int, int, str], Candidate] = {}
        for (first, last), likenesses in zip(spans, alike, strict=True):
            for likeness in likenesses[: self._settings.terms_per_span]:
                candidate = self._candidate(words, first, last, likeness, surprise)
                if candidate is not None and candidate.promise >= self._settings.promise:
                    found.setdefault((candidate.first, candidate.last, candidate.term), candidate)
        return list(found.values())

    def _candidate(
        self, words: Words, first: int, last: int, likeness: Likeness, surprise: NDArray[np.float64]
    ) -> Candidate | None:
        """The smallest change that puts the term in: words that both readings share stay as they are."""
        category = self._lexicon.category(likeness.term)
        term = likeness.term.split()
        while term and first <= last and term[0] == words[first]:
            term, first = term[1:], first + 1
        while term and first <= last and term[-1] == words[last]:
            term, last = term[:-1], last - 1
        if category is None or not term or first > last or _says_already(words[first : last + 1], term):
            return None
        price = self._settings.distance_nats * likeness.distance
        price += self._settings.valid_term_nats * self._valid_terms(words[first : last + 1])
        promise = _hope(surprise[first : last + 1]) - price - likeness.rarity
        return Candidate(first, last, " ".join(term), category, "misheard", price, promise)

    def _valid_terms(self, words: Words) -> int:
        return sum(self._lexicon.is_suggested(mention.term) for mention in self._lexicon.mentions(words))

    def _spans(self, words: Words, surprise: NDArray[np.float64]) -> list[tuple[int, int]]:
        """Stretches of surprising words around a suspicious one, the most surprising first."""
        surprising = (surprise >= self._settings.neighbour_surprise) & _may_be_misheard(words)
        spans = set()
        for at in np.flatnonzero(surprising & (surprise >= self._settings.word_surprise)):
            for first in range(int(at), max(-1, int(at) - self._settings.span_words), -1):
                if not surprising[first]:
                    break
                for last in range(int(at), min(len(words), first + self._settings.span_words)):
                    if not surprising[last]:
                        break
                    if not (first == last and words[first] in STOPWORDS):
                        spans.add((first, last))
        return sorted(spans, key=lambda span: (-_hope(surprise[span[0] : span[1] + 1]), span))[
            : self._settings.spans
        ]


def _may_be_misheard(words: Words) -> NDArray[np.bool_]:
    """Leaves out what is improbable without being wrong: numbers, and the names of people after a title."""
    named = {
        at + ahead
        for at, word in enumerate(words)
        if word in _BEFORE_NAMES
        for ahead in range(1, _NAME_WORDS + 1)
    }
    return np.array(
        [at not in named and not is_number_word(word) for at, word in enumerate(words)], dtype=np.bool_
    )


def _says_already(words: Words, term: Sequence[str]) -> bool:
    """Whether the words hold the term in another form: then it was heard, and nothing is to be repaired."""
    stems = {_stem(word) for word in words}
    return all(_stem(word) in stems for word in term)


def _stem(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s")


def _hope(surprise: NDArray[np.float64]) -> float:
    """What a repair of these words may gain at best, nats.

    Mostly the surprise of the worst word: the words around a misheard one are improbable because of it, and
    become probable again whether or not they are replaced with it.
    """
    worst = float(surprise.max())
    return worst + _SHARE_OF_OTHERS * (float(surprise.sum()) - worst)
