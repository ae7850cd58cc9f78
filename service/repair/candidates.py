"""Chooses which stretches of a line to put in question, and which terms might have been said there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.lexicon import Category, Lexicon, Mention
from service.coherence.facts import usual_doses
from service.dialogue.lines import Line
from service.dialogue.numbers import is_number_word
from service.dialogue.stopwords import STOPWORDS
from service.dialogue.tokens import Token
from service.repair.consultation_words import ConsultationWords
from service.repair.dose_fit import doses_spoiled
from service.repair.recent_speech import RecentSpeech
from service.repair.settings import RepairSettings
from service.repair.sound_index import Likeness, SoundIndex

Kind = Literal["misheard", "confusable"]
Words = tuple[str, ...]

_SHARE_OF_OTHERS = 0.25
_NAMES_WITHIN = dict.fromkeys("doctor mister mr mrs miss missus ms name name's".split(), 2) | dict.fromkeys(
    "hello hi hey morning afternoon bye goodbye".split(), 3
)
"""After these words so many may be names: "hi, it's Leanne"."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that may have been said in place of words `first` to `last` (inclusive).

    Attributes:
        kind: `misheard` where the words only sound like the term; `confusable` where they are a valid term
            themselves that is known to be mistaken for it.
        price: Nats that the repair must gain to break even: for its distance in sound, and for valid terms
            that it would take away; less what consultations, and having been spoken of, make the term likelier.
            A known confusion costs no distance, but a dose that it spoils.
        promise: What the repair may gain at best, less its price, in nats.
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

    def __init__(self, lexicon: Lexicon, consultations: ConsultationWords, settings: RepairSettings) -> None:
        self._lexicon = lexicon
        self._consultations = consultations
        self._settings = settings
        self._doses = usual_doses()
        self._index = SoundIndex(lexicon, consultations, settings)

    def candidates(
        self, words: Sequence[Token], surprise: NDArray[np.float64], lines_before: Sequence[Line] = ()
    ) -> list[Candidate]:
        """The most promising repairs of a line, known confusions first.

        Args:
            words: The line's words without hesitations.
            surprise: Of each word, nats.
            lines_before: What was said before the line, oldest first.
        """
        texts = tuple(word.text for word in words)
        sounding = sorted(
            self._misheard(texts, surprise, lines_before), key=lambda one: (-one.promise, one.first, one.term)
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
                price=self._price_of_confusion(words, mention, other),
                promise=_hope(surprise[mention.first : mention.last + 1]),
            )
            for mention in self._lexicon.mentions(words)
            for other in self._lexicon.confusable(mention.term)
        ]

    def _misheard(
        self, words: Words, surprise: NDArray[np.float64], lines_before: Sequence[Line]
    ) -> list[Candidate]:
        spans = self._spans(words, surprise)
        if not spans:
            return []
        recent = RecentSpeech(lines_before[-self._settings.recent_lines :])
        alike = self._index.similar([words[first : last + 1] for first, last in spans])
        found: dict[tuple[int, int, str], Candidate] = {}
        for (first, last), likenesses in zip(spans, alike, strict=True):
            for likeness in likenesses[: self._settings.terms_per_span]:
                candidate = self._candidate(words, first, last, likeness, surprise, recent)
                if candidate is not None and candidate.promise >= self._settings.promise:
                    found.setdefault((candidate.first, candidate.last, candidate.term), candidate)
        return list(found.values())

    def _candidate(
        self,
        words: Words,
        first: int,
        last: int,
        likeness: Likeness,
        surprise: NDArray[np.float64],
        recent: RecentSpeech,
    ) -> Candidate | None:
        """The smallest change that puts the term in: words that both readings share stay as they are."""
        category = self._lexicon.category(likeness.term)
        term = likeness.term.split()
        while term and first <= last and term[0] == words[first]:
            term, first = term[1:], first + 1
        while term and first <= last and term[-1] == words[last]:
            term, last = term[:-1], last - 1
        heard = words[first : last + 1]
        if category is None or not heard or STOPWORDS.issuperset(term) or _says_already(heard, term):
            return None
        if self._names_drug(heard):
            return None
        price = self._price(heard, term, likeness.distance)
        price -= self._settings.recent_nats * recent.speaks_of(likeness.term)
        promise = _hope(surprise[first : last + 1]) - price
        return Candidate(first, last, " ".join(term), category, "misheard", price, promise)

    def _price(self, heard: Words, term: Sequence[str], distance: float) -> float:
        return (
            self._price_of_distance(heard, distance)
            + self._settings.valid_term_nats * self._valid_terms(heard)
            - self._likelier_here(heard, term)
        )

    def _price_of_distance(self, heard: Words, distance: float) -> float:
        """What is no word was written by ear: surely not what was said, but it says how that sounded."""
        if all(self._lexicon.is_word(word) for word in heard):
            return self._settings.distance_nats * distance
        return self._settings.by_ear_distance_nats * distance - self._settings.by_ear_nats

    def _price_of_confusion(self, words: Words, heard: Mention, other: str) -> float:
        spoiled = doses_spoiled(words, heard.first, heard.last, other, self._doses)
        return self._settings.dose_nats * spoiled - self._likelier_here(heard.term.split(), other.split())

    def _likelier_here(self, heard: Sequence[str], term: Sequence[str]) -> float:
        likelier = self._consultations.leaning(term) - self._consultations.leaning(heard)
        return self._settings.consultation_share * likelier

    def _names_drug(self, words: Words) -> bool:
        """Whether a drug is named: language models know few, so that alone makes it no less likely to be right."""
        return any(
            mention.category == "drug" and self._lexicon.is_suggested(mention.term)
            for mention in self._lexicon.mentions(words)
        )

    def _valid_terms(self, words: Words) -> int:
        return sum(self._lexicon.is_suggested(mention.term) for mention in self._lexicon.mentions(words))

    def _spans(self, words: Words, surprise: NDArray[np.float64]) -> list[tuple[int, int]]:
        """Stretches around a suspicious word that begin and end with surprising ones, the most surprising first.

        Words between may be expected: of "all the g's" the second follows the first, wrong as that is.
        """
        may_be = _may_be_misheard(words)
        edges = may_be & (surprise >= self._settings.neighbour_surprise)
        most = self._settings.span_words
        spans = {
            (first, last)
            for at in np.flatnonzero(may_be & (surprise >= self._settings.word_surprise)).tolist()
            for first in range(max(0, at - most + 1), at + 1)
            for last in range(at, min(len(words), first + most))
            if edges[first] and edges[last] and may_be[first : last + 1].all()
        }
        spans -= {(at, at) for at, word in enumerate(words) if word in STOPWORDS}
        return sorted(spans, key=lambda span: (-_hope(surprise[span[0] : span[1] + 1]), span))[
            : self._settings.spans
        ]


def _may_be_misheard(words: Words) -> NDArray[np.bool_]:
    """Leaves out what is improbable without being wrong: numbers, letters, names after a title or a greeting."""
    named = {
        at + ahead for at, word in enumerate(words) for ahead in range(1, _NAMES_WITHIN.get(word, 0) + 1)
    }
    return np.array(
        [
            at not in named and not is_number_word(word) and (len(word) > 1 or word in STOPWORDS)
            for at, word in enumerate(words)
        ],
        dtype=np.bool_,
    )


def _says_already(words: Words, term: Sequence[str]) -> bool:
    """Whether the words hold a word of the term in some form.

    If it is the whole term, that was heard; if it is a part, a shorter stretch without it is tried for the rest.
    """
    stems = {_stem(word) for word in words}
    return any(_stem(word) in stems for word in term)


def _stem(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s")


def _hope(surprise: NDArray[np.float64]) -> float:
    """What a repair of these words may gain at best, nats.

    Mostly the surprise of the worst word: the words around a misheard one are improbable because of it, and
    become probable again whether or not they are replaced with it.
    """
    worst = float(surprise.max())
    return worst + _SHARE_OF_OTHERS * (float(surprise.sum()) - worst)
