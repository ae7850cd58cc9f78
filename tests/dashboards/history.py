"""The past that a service would have had, for Prometheus to find: weeks of scores, and baselines of flags and risk."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.dashboards.tools import output

MINUTE = 60
DAY = 24 * 60 * MINUTE
WEEK = 7 * DAY
RECOGNISER = {"asr_provider": "northwind", "asr_model": "stream-en-2"}
SPEAKER = {"tenant": "demo", "speaker": "patient"}
SEGMENTS_AN_HOUR = 1_000.0
FLAGS_AN_HOUR = 100.0
MEAN_RISK = 0.05

_Line = tuple[str, Mapping[str, str], float, float]
"""Name, labels, value, and time in seconds since 1970."""


def write_history(promtool: Path, folder: Path, job: str, instance: str, now: float) -> None:
    """Puts a past into an empty folder of a Prometheus.

    Args:
        promtool: The program.
        folder: Where that Prometheus keeps its data.
        job: Of the service.
        instance: Its address.
        now: When the past ends, in seconds since 1970.
    """
    lines = sorted((*_scores(now, job, instance), *_baselines(now, job)), key=lambda line: line[0])
    text = folder.with_suffix(".txt")
    text.write_text("".join(_openmetrics(lines)) + "# EOF\n")
    output(promtool, "tsdb", "create-blocks-from", "openmetrics", "--quiet", text, folder)


def _scores(now: float, job: str, instance: str) -> Iterator[_Line]:
    """Scores of a signal around this time of the last weeks, as they would have been scraped."""
    labels = {"job": job, "instance": instance, "signal": "perplexity", **RECOGNISER, **SPEAKER}
    for weeks in (1, 2, 4):
        for step, at in enumerate(_times(now - weeks * WEEK - 5 * MINUTE, 10 * MINUTE, 15)):
            yield "auscult_signal_score_count", labels, 10.0 * step, at
            yield "auscult_signal_score_sum", labels, 8.0 * step, at
            for bound, share in (("0.5", 1.0), ("0.8", 4.0), ("1.0", 10.0), ("+Inf", 10.0)):
                yield "auscult_signal_score_bucket", {**labels, "le": bound}, share * step, at
            yield "signal:auscult_signal_score:mean1h", {"job": job, "signal": "perplexity"}, 0.8, at


def _baselines(now: float, job: str) -> Iterator[_Line]:
    """What the rules would have recorded until an hour ago."""
    provider = {"job": job, "asr_provider": RECOGNISER["asr_provider"]}
    for at in _times(now - 11 * DAY, 11 * DAY - 60 * MINUTE, 4 * MINUTE):
        for level, labels in (("job", {"job": job}), ("asr_provider", provider)):
            yield f"{level}:auscult_segments:increase1h", labels, SEGMENTS_AN_HOUR, at
            yield f"{level}:auscult_flags:increase1h", labels, FLAGS_AN_HOUR, at
        yield "asr_provider:auscult_segment_risk:mean1h", provider, MEAN_RISK, at
        yield "asr_model:auscult_segments:increase6h", {"job": job, **RECOGNISER}, 6 * SEGMENTS_AN_HOUR, at
        for signal in ("perplexity", "confidence"):
            yield "signal:auscult_signals_absent:ratio_rate1h", {"job": job, "signal": signal}, 0.1, at


def _times(begin: float, seconds: float, step: float) -> list[float]:
    return [begin + step * place for place in range(int(seconds / step))]


def _openmetrics(lines: Iterable[_Line]) -> Iterator[str]:
    for name, labels, value, at in lines:
        written = ",".join(f'{label}="{labels[label]}"' for label in sorted(labels))
        yield f"{name}{{{written}}} {value} {at:.3f}\n"
