"""Embedding drift: a line that has nothing to do with what the call is about.

The simple form compares consecutive segments, so every "yeah" between two questions looks like drift. Here a
line is compared with each of the call's recent lines of substance, and the nearest one counts: a line belongs
if it continues *something* that was said. Acknowledgements are not measured.
"""

import numpy as np
from numpy.typing import NDArray

from service.dialogue.lines import Line
from service.dialogue.stopwords import content_words
from service.moment import Moment
from service.monitor_settings import DriftSettings
from service.signals.base import Finding, Measuring, Proposal, absent, ask_embeddings
from streams.messages import SignalReading

DRIFT_POINT = 0.35
"""Cosine below which consecutive segments are a drift point (simple form)."""

DRIFT_POINT_PENALTY = 0.05
"""What each drift point in the window costs the simple form's score."""


class EmbeddingDrift:
    """Similarity to the previous segments (simple) and to the call's recent topic."""

    name = "embedding_drift"
    readings = ("embedding_drift", "embedding_drift_simple")

    def __init__(self, settings: DriftSettings) -> None:
        self._settings = settings

    def measure(self, moment: Moment) -> Measuring:
        """Value: cosine with the nearest recent line of substance; the simple form's: mean consecutive cosine."""
        recent = [line for line in moment.history if line.tokens][-self._settings.window_lines :]
        if not moment.line.tokens or not recent:
            return absent(self.readings, "no_words" if recent else "first_line")
        vectors = yield from ask_embeddings([*(line.text for line in recent), moment.line.text])
        similarity = self._topic_similarity(recent, moment.line, vectors)
        reading = (
            SignalReading(None, None, absent="short_line")
            if similarity is None
            else SignalReading(similarity, self._score(similarity))
        )
        return Finding(
            readings={"embedding_drift": reading, "embedding_drift_simple": simple_reading(vectors)},
            proposals=self._proposals(moment, similarity),
            features={
                "topic_similarity": self._settings.healthy_similarity if similarity is None else similarity
            },
        )

    def _topic_similarity(self, recent: list[Line], line: Line, vectors: NDArray[np.float32]) -> float | None:
        of_substance = [index for index, earlier in enumerate(recent) if self._has_substance(earlier)]
        if not of_substance or not self._has_substance(line):
            return None
        return float((vectors[of_substance] @ vectors[-1]).max())

    def _has_substance(self, line: Line) -> bool:
        return content_words(line.tokens) >= self._settings.content_words

    def _score(self, similarity: float) -> float:
        return float(np.clip(similarity / self._settings.healthy_similarity, 0.0, 1.0))

    def _proposals(self, moment: Moment, similarity: float | None) -> tuple[Proposal, ...]:
        warm = len(moment.history) >= self._settings.warm_up_lines
        long_enough = content_words(moment.line.tokens) >= self._settings.flag_content_words
        if similarity is None or similarity >= self._settings.flag_similarity or not (warm and long_enough):
            return ()
        return (
            Proposal(
                type="topic_drift",
                severity="low",
                span=None,
                reason="unlike_the_call",
                explanation="This has nothing to do with anything said shortly before.",
                subject="topic",
                strength=min(1.0, 1.0 - similarity),
            ),
        )


def simple_reading(vectors: NDArray[np.float32]) -> SignalReading:
    """Mean cosine of consecutive segments; score min(1, mean * 1.5 + 0.25) less a penalty per drift point."""
    cosines = np.sum(vectors[:-1] * vectors[1:], axis=1)
    mean = float(cosines.mean())
    penalty = DRIFT_POINT_PENALTY * int((cosines < DRIFT_POINT).sum())
    return SignalReading(mean, float(np.clip(min(1.0, mean * 1.5 + 0.25) - penalty, 0.0, 1.0)))
