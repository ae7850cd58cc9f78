"""The five simple forms alone, as they are published: each segment by itself, or beside the one before it.

No dialogue, no flags, no risk. They are computed by the service's own functions, on the service's own models.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.monitors import Timing
from models.interfaces import ScoreRequest, TokenScores
from service.composition import Models, clinical_terms
from service.dialogue.lines import Line, scored_text
from service.dialogue.polarities import polarities_in
from service.dialogue.tokens import tokenise
from service.monitor_settings import MonitorSettings
from service.pace import speech_seconds
from service.repair.validity import entities_in
from service.signals import embedding_drift, entity_validity, perplexity, speech_rate
from service.signals.base import ModelName
from service.signals.contradiction import CONTRADICTION_COST
from streams.messages import Segment, SignalReading

Readings = Mapping[str, SignalReading]


@dataclass(slots=True)
class _Heard:
    """What the simple forms know of a call.

    Attributes:
        vectors: Embeddings of its last lines.
        polarities: What was affirmed and what was denied.
    """

    vectors: deque[NDArray[np.float32]] = field(repr=False)
    polarities: set[tuple[str, bool]] = field(default_factory=set, repr=False)


class PublishedForms:
    """Perplexity of the segment alone, share of known entities, terms affirmed and denied, cosine, words per minute.

    Every line is tokenised, parsed and embedded once.

    Args:
        settings: The service's: where a form needs a bound, it is the same one.
        models: Used by nobody else.
        timing: Where the models' time is counted.
    """

    def __init__(self, settings: MonitorSettings, models: Models, timing: Timing) -> None:
        self._settings = settings
        self._lexicon = models.lexicon
        self._matcher = clinical_terms(models.lexicon)
        self._answerers = {
            name: timing.timed(name, answerer) for name, answerer in models.answerers().items()
        }
        self._calls: dict[str, _Heard] = {}

    def listen(self, segments: Sequence[Segment]) -> None:
        """Takes segments into their calls without assessing them."""
        for segment in segments:
            self._call(segment).polarities |= polarities_in(self._line(segment), self._matcher)

    def observe(self, poll: Sequence[Segment]) -> list[Readings]:
        """The readings of each segment; every model answers one batch for the whole poll."""
        lines = [self._line(segment) for segment in poll]
        spoken = [line for line in lines if line.spoken]
        alone = iter(
            self._ask(
                "language_model",
                [ScoreRequest("", scored_text(line.spoken), extends=False) for line in spoken],
            )
        )
        vectors = iter(self._ask("embedding", [line.text for line in spoken]))
        return [
            self._readings(segment, line, next(alone), next(vectors)) if line.spoken else {}
            for segment, line in zip(poll, lines, strict=True)
        ]

    def _call(self, segment: Segment) -> _Heard:
        if segment.call_id not in self._calls:
            window = self._settings.drift.window_lines + 1
            self._calls[segment.call_id] = _Heard(deque(maxlen=window))
        return self._calls[segment.call_id]

    def _line(self, segment: Segment) -> Line:
        tokens = tokenise(segment.text)[: self._settings.call.line_words]
        return Line(segment.sequence, segment.speaker, tokens, segment.start, segment.end)

    def _ask(self, model: ModelName, items: Sequence[Any]) -> list[Any]:
        """A model's answers; equal inputs are asked once, as in the service."""
        distinct = list(dict.fromkeys(items))
        answers = dict(zip(distinct, self._answerers[model](distinct), strict=True))
        return [answers[item] for item in items]

    def _readings(
        self, segment: Segment, line: Line, alone: TokenScores, vector: NDArray[np.float32]
    ) -> Readings:
        call = self._call(segment)
        call.vectors.append(vector)
        words = int(np.searchsorted(alone.spans[:, 0], len(scored_text(line.spoken)) - 1))
        entities = entities_in([word.text for word in line.spoken], self._lexicon)
        seconds = speech_seconds(segment)
        readings = {
            "perplexity_simple": perplexity.simple_reading(alone.nll[:words]),
            "entity_validity_simple": entity_validity.simple_reading(entities, line.spoken),
            "contradiction_simple": self._contradiction(line, call),
        }
        if len(call.vectors) > 1:
            readings["embedding_drift_simple"] = embedding_drift.simple_reading(np.stack(call.vectors))
        if seconds is not None:
            readings["speech_rate_simple"] = speech_rate.simple_reading(len(line.tokens), seconds)
        return readings

    def _contradiction(self, line: Line, call: _Heard) -> SignalReading:
        here = polarities_in(line, self._matcher)
        count = len({name for name, denied in here if (name, not denied) in call.polarities})
        call.polarities |= here
        return SignalReading(float(count), max(1.0 - CONTRADICTION_COST * count, 0.0))
