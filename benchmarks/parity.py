"""How near the int8 language model is to its float32 reference, on every segment of a folder of calls.

    python -m benchmarks.parity FOLDER --gguf FILE [--output FILE]

Both are built here from the same GGUF file, which is dequantised for the reference, and both read what the service
shows the model. Nothing is calibrated on data, so every call is an unseen one.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.calls import Call, recordings
from benchmarks.results import Row, write_json
from models.causal.artifact import GRAPH_FILE
from models.causal.build import Precision, build_language_model
from models.causal.language_model import CausalLanguageModel
from models.cpu import usable_cpus
from models.export.parity import spearman
from models.interfaces import ScoreRequest
from models.session import SessionSettings, open_session
from service.call import CallState
from service.dialogue.ledger import AssertionLedger, LedgerSettings
from service.dialogue.lines import context_of, scored_text
from service.dialogue.spoken_terms import spoken_terms
from service.monitor_settings import CallSettings, PaceSettings, PerplexitySettings

Nlls = Sequence[NDArray[np.float32]]
"""NLLs of each segment's tokens."""


@dataclass(frozen=True, slots=True)
class Parity:
    """How near two models' scores are.

    Attributes:
        calls, segments, tokens: How many were compared.
        spearman_mean: Rank correlation of the segments' mean NLL.
        spearman_peak: Rank correlation of the segments' peak: the mean of the highest token NLLs.
        token_error_mean: Mean absolute difference of a token's NLL, nats.
        token_error_median, token_error_p99, token_error_p999, token_error_worst: The same, ordered.
        segment_mean_error_worst, segment_peak_error_worst: Largest difference of a segment's mean and peak, nats.
    """

    calls: int
    segments: int
    tokens: int
    spearman_mean: float
    spearman_peak: float
    token_error_mean: float
    token_error_median: float
    token_error_p99: float
    token_error_p999: float
    token_error_worst: float
    segment_mean_error_worst: float
    segment_peak_error_worst: float


def requests_of(call: Call, name: str) -> Iterator[ScoreRequest]:
    """What the perplexity signal asks of the language model in one call, in dialogue."""
    state = CallState.begin(AssertionLedger(spoken_terms(), LedgerSettings()), CallSettings())
    for segment in call:
        moment = state.admit(segment, True, CallSettings(), PaceSettings())
        if moment.line.spoken:
            context = context_of(moment.context, moment.line.speaker)
            yield ScoreRequest(context, scored_text(moment.line.spoken), name)


def nlls(folder: Path, calls: Sequence[Sequence[ScoreRequest]]) -> list[NDArray[np.float32]]:
    """Scores every segment with a built model."""
    session = open_session(folder / GRAPH_FILE, SessionSettings(threads=1))
    model = CausalLanguageModel(folder, session, passes_at_once=usable_cpus())
    return [scores.nll for requests in calls for scores in model.score(requests)]


def compare(calls: int, exact: Nlls, other: Nlls, peak_tokens: int) -> Parity:
    """Compares two models' NLLs of the same segments."""

    def peak(nll: NDArray[np.float32]) -> float:
        return float(np.sort(nll)[-peak_tokens:].mean())

    means = np.array([[float(nll.mean()) for nll in side] for side in (exact, other)])
    peaks = np.array([[peak(nll) for nll in side] for side in (exact, other)])
    errors = np.abs(np.concatenate(exact) - np.concatenate(other)).astype(np.float64)
    median, p99, p999, worst = np.quantile(errors, [0.5, 0.99, 0.999, 1.0])
    return Parity(
        calls=calls,
        segments=len(exact),
        tokens=errors.size,
        spearman_mean=spearman(*means),
        spearman_peak=spearman(*peaks),
        token_error_mean=float(errors.mean()),
        token_error_median=float(median),
        token_error_p99=float(p99),
        token_error_p999=float(p999),
        token_error_worst=float(worst),
        segment_mean_error_worst=float(np.abs(means[0] - means[1]).max()),
        segment_peak_error_worst=float(np.abs(peaks[0] - peaks[1]).max()),
    )


def measure(gguf: Path, calls: Sequence[Call]) -> Parity:
    """Builds both models and compares them on the calls."""
    requests = [list(requests_of(call, f"call {index}")) for index, call in enumerate(calls)]
    precisions: tuple[Precision, ...] = ("float32", "int8")
    scored = []
    for precision in precisions:
        with tempfile.TemporaryDirectory() as folder:
            build_language_model(gguf, Path(folder), lambda _: None, precision)
            scored.append(nlls(Path(folder), requests))
    exact, other = scored
    return compare(len(calls), exact, other, PerplexitySettings().peak_tokens)


def rows(parity: Parity) -> list[Row]:
    """The report as rows of a table, with the bar of each figure that has one."""
    bars = {"spearman_mean": ">= 0.998", "spearman_peak": ">= 0.995", "token_error_worst": "< 1.5"}
    return [
        {"figure": name, "value": round(value, 4), "bar": bars.get(name, "")}
        for name, value in asdict(parity).items()
    ]


def main() -> None:
    """Writes the report as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gguf", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    recorded = recordings(arguments.folder)
    write_json(arguments.output, "parity", rows(measure(arguments.gguf, recorded.calls)), recorded.source)


if __name__ == "__main__":
    main()
