"""The whole pipeline on naive models beside the service's, on the same segments of real calls, in one run.

    python -m benchmarks.naive_pipeline --threads 2 --segments 64 --signals five

Every pipeline is the service's own monitor with the same signals; only the models differ:

| pipeline | models |
|---|---|
| `torch` | transformers and torch in float32, one text at a time, context recomputed, nothing remembered |
| `optimum` | optimum's float32 export through ONNX Runtime, one text at a time |
| `optimum-batched` | the same, each poll's texts batched by length, no cache of keys and values |
| `auscult` | the service's models, at several poll sizes |

All carry the same weights: the checkpoints are made from the packages that the default models are built from. The
calls are joined midway, so that each has its context. Needs the `export` extra.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.calls import Call, in_turn, recordings
from benchmarks.hub_models import DEFAULT_FOLDER, HubModels
from benchmarks.naive_models import TorchContradictionClassifier, TorchEmbedder, TorchLanguageModel
from benchmarks.results import Row, write_json
from models.artifacts import Fetching
from models.export.parity import spearman
from models.interfaces import ContradictionClassifier, Embedder, LanguageModel, ScoreRequest, TokenScores
from models.lexicon import Lexicon
from models.loading import load_contradiction_classifier, load_embedder, load_language_model
from models.session import SessionSettings
from service.composition import Models, build_signals, new_ledger, open_models
from service.monitor import Monitor
from service.risk import load_risk_model
from service.settings import Settings, load_settings
from streams.messages import Assessment, Segment

FIVE_SIGNALS: Final = ("perplexity", "entity_validity", "contradiction", "embedding_drift", "speech_rate")
BASELINES: Final = ("torch", "optimum", "optimum-batched")
POLLS: Final = (1, 8, 64)
JOINED_AFTER: Final = 24
"""Segments of each call that are heard, and not assessed, before anything is measured."""
BLOCK: Final = 64
"""Segments after which the next pipeline has its turn; the largest poll."""


class OneAtATime:
    """The service's runners, asked one thing at a time."""

    def __init__(
        self, language_model: LanguageModel, embedder: Embedder, classifier: ContradictionClassifier
    ) -> None:
        self._language_model = language_model
        self._embedder = embedder
        self._classifier = classifier

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """See `LanguageModel`."""
        return [scores for request in requests for scores in self._language_model.score([request])]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder`."""
        return np.array([self._embedder.embed([text])[0] for text in texts])

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `ContradictionClassifier`."""
        return np.array([self._classifier.contradiction([pair])[0] for pair in pairs], np.float32)


@dataclass(slots=True)
class Pipeline:
    """A monitor, how many segments it is given at once, and what it has taken so far.

    Attributes:
        name: As in the table above.
        poll: Segments of one `observe`.
        seconds: Of all measured segments.
        cpu_seconds: The same, on all cores.
        assessments: What it found.
    """

    name: str
    poll: int
    monitor: Monitor
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    assessments: list[Assessment] = field(default_factory=list)

    def assess(self, segments: Sequence[Segment]) -> None:
        """Assesses segments poll by poll, and notes the time."""
        started, cpu_started = time.perf_counter(), time.process_time()
        for start in range(0, len(segments), self.poll):
            self.assessments += self.monitor.observe(segments[start : start + self.poll], 0.0).assessments
        self.seconds += time.perf_counter() - started
        self.cpu_seconds += time.process_time() - cpu_started

    def warm_up(self, segments: Sequence[Segment]) -> None:
        """Assesses segments that do not count."""
        self.assess(segments)
        self.seconds = self.cpu_seconds = 0.0
        self.assessments.clear()


def monitor_of(settings: Settings, models: Models, names: Sequence[str] | None) -> Monitor:
    """The service's monitor with the named signals; None: with all.

    Every pipeline asks a contradiction classifier only if the service's settings name one.
    """
    own = settings.monitor
    classified = settings.models.contradiction is not None
    signals = build_signals(own, models.lexicon, contradiction_available=classified)
    return Monitor(
        settings=own,
        signals=[signal for signal in signals if names is None or signal.name in names],
        answerers=models.answerers(),
        risk_model=load_risk_model(own.risk_model),
        new_ledger=partial(new_ledger, own, models.lexicon),
    )


def torch_models(hub: HubModels, lexicon: Lexicon) -> Models:
    """The naive models."""
    return Models(
        TorchLanguageModel(hub.checkpoint("language_model")),
        lexicon,
        TorchEmbedder(hub.checkpoint("embedding")),
        TorchContradictionClassifier(hub.checkpoint("contradiction")),
    )


def optimum_models(hub: HubModels, lexicon: Lexicon, threads: int, *, batched: bool) -> Models:
    """Optimum's float32 graphs through ONNX Runtime."""
    store, session = hub.float_graphs(), SessionSettings(threads=threads)
    language_model = load_language_model(store, "float-language-model", session)
    embedder = load_embedder(store, "float-embedding", session)
    classifier = load_contradiction_classifier(store, "float-contradiction", session)
    if batched:
        return Models(language_model, lexicon, embedder, classifier)
    single = OneAtATime(language_model, embedder, classifier)
    return Models(single, lexicon, single, single)


def compare(pipelines: Sequence[Pipeline], calls: Sequence[Call], segments: int) -> None:
    """Gives every pipeline the same segments, block by block in turn."""
    stream = list(in_turn([call[JOINED_AFTER:] for call in calls]))[: BLOCK + segments]
    warming, measured = stream[:BLOCK], stream[BLOCK:]
    for pipeline in pipelines:
        for call in calls:
            pipeline.monitor.listen(call[:JOINED_AFTER], 0.0)
        # The naive ones remember nothing that could be warmed: a few segments do.
        heard = 0 if pipeline.name == "auscult" else len(warming) - 4
        pipeline.monitor.listen(warming[:heard], 0.0)
        pipeline.warm_up(warming[heard:])
    for start in range(0, len(measured), BLOCK):
        for pipeline in pipelines:
            pipeline.assess(measured[start : start + BLOCK])
            _refuse_failures(pipeline.assessments)


def rows_of(pipelines: Sequence[Pipeline], signals: str) -> list[Row]:
    """Figures of each pipeline, and its ratios to the first."""
    first = pipelines[0]
    return [
        {
            "signals": signals,
            "pipeline": pipeline.name,
            "poll": pipeline.poll,
            "segments": len(pipeline.assessments),
            "segments_per_second": len(pipeline.assessments) / pipeline.seconds,
            "cpu_ms_per_segment": 1000 * pipeline.cpu_seconds / len(pipeline.assessments),
            "times_first": first.seconds / pipeline.seconds,
            "times_first_cpu": first.cpu_seconds / pipeline.cpu_seconds,
            "spearman_of_peaks": _agreement(first.assessments, pipeline.assessments),
        }
        for pipeline in pipelines
    ]


def _refuse_failures(assessments: Sequence[Assessment]) -> None:
    """A signal that failed did not do its work: its time would say nothing."""
    for assessment in assessments:
        failed = [name for name, reading in assessment.signals.items() if reading.absent == "failed"]
        if failed:
            raise RuntimeError(f"These signals failed: {', '.join(failed)}.")


def _agreement(first: Sequence[Assessment], other: Sequence[Assessment]) -> float:
    """Spearman of the perplexity signal: that both really compute the same."""
    pairs = [
        (one.signals["perplexity"].value, another.signals["perplexity"].value)
        for one, another in zip(first, other, strict=True)
    ]
    known = [(one, another) for one, another in pairs if one is not None and another is not None]
    return spearman([one for one, _ in known], [another for _, another in known])


def measure(
    hub: HubModels,
    settings: Settings,
    segments: int,
    signals: str,
    baselines: Sequence[str] = BASELINES,
    polls: Sequence[int] = POLLS,
) -> list[Row]:
    """Runs every pipeline on the same segments.

    Args:
        hub: Where the other tools' models are kept.
        settings: Of the service; its threads are everybody's.
        segments: How many are assessed; rounded up to whole blocks.
        signals: `five`, or `default` for all that the service computes.
        baselines: Which other pipelines; the ratios are to the first.
        polls: Sizes of the service's own polls.
    """
    threads = settings.models.threads or torch.get_num_threads()
    torch.set_num_threads(threads)
    names = FIVE_SIGNALS if signals == "five" else None

    def pipeline(name: str, poll: int, open_them: Callable[[], Models]) -> Pipeline:
        return Pipeline(name, poll, monitor_of(settings, open_them(), names))

    def ours() -> Models:
        return open_models(settings.models)

    own = [pipeline("auscult", poll, ours) for poll in polls]
    lexicon = ours().lexicon
    openers: dict[str, tuple[int, Callable[[], Models]]] = {
        "torch": (1, lambda: torch_models(hub, lexicon)),
        "optimum": (1, lambda: optimum_models(hub, lexicon, threads, batched=False)),
        "optimum-batched": (BLOCK, lambda: optimum_models(hub, lexicon, threads, batched=True)),
    }
    pipelines = [*(pipeline(name, *openers[name]) for name in baselines), *own]
    compare(pipelines, recordings().calls, -(-segments // BLOCK) * BLOCK)
    return rows_of(pipelines, signals)


def table(rows: Sequence[Row]) -> str:
    """The rows for people."""
    lines = [
        f"{row['signals']:>8} {row['pipeline']:>16} {row['poll']:>4} {row['segments_per_second']:>10.1f} "
        f"{row['cpu_ms_per_segment']:>8.1f} {row['times_first']:>7.1f} {row['times_first_cpu']:>7.1f} "
        f"{row['spearman_of_peaks']:>9.4f}"
        for row in rows
    ]
    return "\n".join(
        [" signals         pipeline poll segments/s   cpu ms  x first   x cpu  spearman", *lines]
    )


def main() -> None:
    """Prints a table; writes the rows as JSON where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--signals", choices=("five", "default"), nargs="+", default=["five"])
    parser.add_argument("--baselines", choices=BASELINES, nargs="+", default=list(BASELINES))
    parser.add_argument("--segments", type=int, default=BLOCK)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="keeps the other tools' models")
    parser.add_argument("--wheels", type=Path, help="take the source packages from this folder")
    parser.add_argument("--output", type=Path, help="writes JSON")
    arguments = parser.parse_args()
    loaded = load_settings()
    models: Any = loaded.models.model_copy(update={"threads": arguments.threads})
    settings = loaded.model_copy(update={"models": models})
    hub = HubModels(arguments.folder, Fetching(wheel_folder=arguments.wheels))
    rows = [
        row
        for signals in arguments.signals
        for row in measure(hub, settings, arguments.segments, signals, arguments.baselines)
    ]
    sys.stdout.write(table(rows) + "\n")
    if arguments.output:
        write_json(arguments.output, "naive pipeline", rows, recordings().source)


if __name__ == "__main__":
    main()
