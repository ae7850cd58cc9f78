"""How near an exported model is to its own float32 graph, on a transcript, and how much faster and smaller."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelExportFailed
from models.interfaces import ContradictionClassifier, Embedder, LanguageModel, ScoreRequest
from models.loading import load_contradiction_classifier, load_embedder, load_language_model
from models.manifest import Manifest, ModelEntry
from models.session import SessionSettings
from models.store import ModelStore

PARITY = "parity.json"

CONTEXT_UTTERANCES = 4
"""An utterance is read with so many before it, up to twice as many."""

MOST_UTTERANCES = 240
"""How many are compared; of a longer transcript the first ones of every call."""

PEAK_TOKENS = 3
"""The mean of so many highest token NLLs is what the service calls a segment's peak."""

_BATCH = 16


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker said."""

    speaker: str
    text: str = field(repr=False)


Call = Sequence[Utterance]
"""A conversation, in order."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure and the bar that it must not fall short of.

    Attributes:
        name: What it is, with its unit.
        value: As measured.
        bar: The worst that passes.
        higher_is_better: On which side of the bar it must be.
    """

    name: str
    value: float
    bar: float
    higher_is_better: bool

    @property
    def passed(self) -> bool:
        """Whether it reaches the bar. What is no number does not."""
        return self.value >= self.bar if self.higher_is_better else self.value <= self.bar


@dataclass(frozen=True, slots=True)
class Parity:
    """An exported model beside its float32 graph.

    Attributes:
        compared: How many segments, texts or pairs.
        measures: How near the results are.
        speed: How many times as fast it answered the same batches.
        size: Its size in parts of the float32 model's.
    """

    compared: int
    measures: tuple[Measure, ...]
    speed: float
    size: float

    @property
    def passed(self) -> bool:
        """Whether every measure reaches its bar."""
        return all(measure.passed for measure in self.measures)

    def write(self, folder: Path) -> None:
        """Writes it beside the model."""
        content = asdict(self) | {"passed": self.passed}
        (folder / PARITY).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def measure_parity(reference: ModelEntry, exported: ModelEntry, calls: Sequence[Call]) -> Parity:
    """Runs both models as the service runs them, batch for batch in turn.

    Args:
        reference: The float32 graph; its files lie in a folder.
        exported: What came of it.
        calls: What is compared on.

    Raises:
        ModelExportFailed: there are too few utterances to compare.
        ModelUnavailable: a model cannot be opened.
        ModelFailure: a model does not run.
    """
    calls = _shortened(calls)
    if sum(map(len, calls)) < PEAK_TOKENS:
        raise ModelExportFailed("The transcript has too few utterances to compare on.")
    compare = {
        "language_model": _compare_language_models,
        "embedding": _compare_embedders,
        "contradiction": _compare_classifiers,
    }[exported.purpose]
    compared, measures, speed = compare(_Opened(reference), _Opened(exported), calls)
    return Parity(compared, measures, speed, _size(exported) / _size(reference))


class _Opened:
    """A model's entry, to be opened as what it is for."""

    def __init__(self, entry: ModelEntry) -> None:
        self._id = entry.id
        self._store = ModelStore(Path(), Manifest(models=(entry,)))
        self._settings = SessionSettings()

    def language_model(self) -> LanguageModel:
        return load_language_model(self._store, self._id, self._settings)

    def embedder(self) -> Embedder:
        return load_embedder(self._store, self._id, self._settings)

    def classifier(self) -> ContradictionClassifier:
        return load_contradiction_classifier(self._store, self._id, self._settings)


_Compared = tuple[int, tuple[Measure, ...], float]


def _compare_language_models(reference: _Opened, exported: _Opened, calls: Sequence[Call]) -> _Compared:
    batches = list(_score_requests(calls))
    expected, found, speed = _in_turn(
        reference.language_model().score, exported.language_model().score, batches
    )
    pairs = [(one.nll, other.nll) for one, other in zip(expected, found, strict=True) if len(one.nll)]
    differences = np.abs(np.concatenate([one - other for one, other in pairs]))
    means, peaks = (
        spearman([of(one) for one, _ in pairs], [of(other) for _, other in pairs]) for of in (np.mean, _peak)
    )
    measures = (
        Measure("Spearman of the segments' mean NLL", means, 0.998, higher_is_better=True),
        Measure(f"Spearman of the mean of their {PEAK_TOKENS} highest", peaks, 0.995, higher_is_better=True),
        Measure("mean token error, nats", float(differences.mean()), 0.2, higher_is_better=False),
        Measure("worst token error, nats", float(differences.max()), 1.5, higher_is_better=False),
    )
    return len(pairs), measures, speed


def _compare_embedders(reference: _Opened, exported: _Opened, calls: Sequence[Call]) -> _Compared:
    texts = list(dict.fromkeys(utterance.text for call in calls for utterance in call))
    batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
    rows, other_rows, speed = _in_turn(reference.embedder().embed, exported.embedder().embed, batches)
    expected, found = np.array(rows), np.array(other_rows)
    cosines = np.sum(expected * found, axis=1)
    neighbours = spearman(*(np.sum(vectors[1:] * vectors[:-1], axis=1) for vectors in (expected, found)))
    measures = (
        Measure("worst cosine", float(cosines.min()), 0.98, higher_is_better=True),
        Measure("Spearman of neighbouring texts' cosine", neighbours, 0.99, higher_is_better=True),
    )
    return len(texts), measures, speed


def _compare_classifiers(reference: _Opened, exported: _Opened, calls: Sequence[Call]) -> _Compared:
    pairs = list(dict.fromkeys((one.text, other.text) for call in calls for one, other in pairwise(call)))
    batches = [pairs[start : start + _BATCH] for start in range(0, len(pairs), _BATCH)]
    expected, found, speed = _in_turn(
        reference.classifier().contradiction, exported.classifier().contradiction, batches
    )
    differences = np.abs(np.array(expected) - np.array(found))
    measures = (
        Measure("mean difference of probability", float(differences.mean()), 0.02, higher_is_better=False),
        Measure("worst difference of probability", float(differences.max()), 0.15, higher_is_better=False),
    )
    return len(pairs), measures, speed


def spearman(one: Sequence[float] | NDArray[Any], other: Sequence[float] | NDArray[Any]) -> float:
    """Spearman's rank correlation; equal values share their mean rank."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Sequence[float] | NDArray[Any]) -> NDArray[np.float64]:
    _, places, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places], dtype=np.float64)


def _peak(nll: NDArray[np.float32]) -> float:
    return float(np.sort(nll)[-PEAK_TOKENS:].mean())


def _score_requests(calls: Sequence[Call]) -> Iterator[list[ScoreRequest]]:
    """A batch for each turn: the next utterance of every call that still goes on, as in live calls."""
    for at in range(max(map(len, calls))):
        yield [
            ScoreRequest(_context(call, at), f" {call[at].text}\n", stream=str(number))
            for number, call in enumerate(calls)
            if at < len(call)
        ]


def _context(call: Call, at: int) -> str:
    # Restarts at fixed places, so that it grows at its end as a live call's does.
    begin = max(0, at // CONTEXT_UTTERANCES - 1) * CONTEXT_UTTERANCES
    lines = "".join(f"{utterance.speaker}: {utterance.text}\n" for utterance in call[begin:at])
    return f"{lines}{call[at].speaker}:"


def _in_turn(
    reference: Callable[[Any], Any], exported: Callable[[Any], Any], batches: Sequence[Sequence[Any]]
) -> tuple[list[Any], list[Any], float]:
    """Both models' answers to every batch, and how many times as fast the second was."""
    answers: tuple[list[Any], list[Any]] = ([], [])
    seconds = [0.0, 0.0]
    for number, batch in enumerate(batches):
        for which, answer in enumerate((reference, exported)):
            started = time.perf_counter()
            answers[which].extend(answer(batch))
            if number or len(batches) == 1:  # the first batch warms up
                seconds[which] += time.perf_counter() - started
    return *answers, seconds[0] / seconds[1]


def _shortened(calls: Sequence[Call]) -> list[Call]:
    spoken = [[utterance for utterance in call if utterance.text.strip()] for call in calls]
    spoken = [call for call in spoken if call]
    share = -(-MOST_UTTERANCES // max(1, len(spoken)))
    return [call[:share] for call in spoken]


def _size(entry: ModelEntry) -> int:
    state = ModelStore(Path(), Manifest(models=(entry,))).state(entry.id)
    return state.size
