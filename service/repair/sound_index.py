"""Finds the terms that a stretch of words sounds like.

Two steps: plain edit distances to all terms at once (of the sounds, and of the sounds reduced to a dozen
classes; bit-parallel, some forty microseconds for thousands of terms), then the sound distance to the nearest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from models.lexicon.lexicon import Lexicon
from models.recent import RecentResults
from service.repair.consultation_words import ConsultationWords
from service.repair.settings import RepairSettings
from service.repair.sound_distance import sound_distance

_COARSE = str.maketrans(
    {
        sound: alike[0]
        for alike in ("pb", "td", "kg", "fv", "szTD", "SZ", "mnN", "iIeEA", "@aoOuUWYJ")
        for sound in alike
    }
)
_REMEMBERED_SPANS = 20_000


@dataclass(frozen=True, slots=True)
class Likeness:
    """A term that some words sound like.

    Attributes:
        distance: As `sound_distance` gives it.
        relative: The distance for each sound of the longer of the two.
        leaning: By how many nats consultations make the term likelier than English at large does.
    """

    term: str = field(repr=False)
    distance: float
    relative: float
    leaning: float


class SoundIndex:
    """The suggestable terms of a lexicon, by sound. Remembers what it has looked up; not thread-safe."""

    def __init__(self, lexicon: Lexicon, consultations: ConsultationWords, settings: RepairSettings) -> None:
        self._lexicon = lexicon
        self._settings = settings
        self._terms = lexicon.suggested
        self._sounds = [lexicon.sounds(term.split()) for term in self._terms]
        self._coarse = [sounds.translate(_COARSE) for sounds in self._sounds]
        self._leaning = [consultations.leaning(term.split()) for term in self._terms]
        self._lengths = np.array([len(sounds) for sounds in self._sounds])
        self._recent: RecentResults[tuple[Likeness, ...]] = RecentResults(_REMEMBERED_SPANS)

    def similar(self, spans: Sequence[tuple[str, ...]]) -> list[tuple[Likeness, ...]]:
        """The terms that each stretch of words sounds like, the likeliest first."""
        found = {span: self._recent.get(*span) for span in spans}
        missing = [span for span, likenesses in found.items() if likenesses is None]
        for span, likenesses in zip(missing, self._search(missing), strict=True):
            self._recent.put(likenesses, *span)
            found[span] = likenesses
        return [found[span] or () for span in spans]

    def _search(self, spans: Sequence[tuple[str, ...]]) -> list[tuple[Likeness, ...]]:
        heard = [self._lexicon.sounds(span) for span in spans]
        if not heard:
            return []
        coarse = [sounds.translate(_COARSE) for sounds in heard]
        apart = cdist(coarse, self._coarse, scorer=Levenshtein.distance, dtype=np.uint8)
        apart += cdist(heard, self._sounds, scorer=Levenshtein.distance, dtype=np.uint8)
        return [self._nearest(sounds, row) for sounds, row in zip(heard, apart, strict=True)]

    def _nearest(self, heard: str, apart: NDArray[np.uint8]) -> tuple[Likeness, ...]:
        if not 2 <= len(heard) <= self._settings.span_sounds:
            return ()
        relative = apart / np.maximum(self._lengths, len(heard))
        near = np.flatnonzero(relative <= self._settings.coarse_distance)
        near = near[np.argsort(relative[near], kind="stable")[: self._settings.neighbours]]
        likenesses = (self._likeness(heard, int(at)) for at in near)
        price, share = self._settings.distance_nats, self._settings.consultation_share
        return tuple(
            sorted(
                (one for one in likenesses if one.relative <= self._settings.distance),
                key=lambda one: (price * one.distance - share * one.leaning, one.term),
            )
        )

    def _likeness(self, heard: str, at: int) -> Likeness:
        longer = max(len(heard), len(self._sounds[at]))
        distance = sound_distance(heard, self._sounds[at], self._settings.distance * longer)
        return Likeness(self._terms[at], distance, distance / longer, self._leaning[at])
