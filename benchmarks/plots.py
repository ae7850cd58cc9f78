"""Plots of the results, as small SVG files. Needs matplotlib."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

LIMIT_MS: Final = 250.0


def draw(results: Mapping[str, Any], folder: Path) -> list[str]:
    """Draws a plot for each benchmark that has one.

    Returns:
        The names of the written files.
    """
    # The same results give the same file.
    plt.rcParams["svg.hashsalt"] = "auscult"
    drawn = []
    for name, plot in _PLOTS.items():
        if name in results:
            figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
            plot(results[name]["results"], axes)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
            plt.close(figure)
            drawn.append(f"{name}.svg")
    return drawn


def _pipeline(rows: list[dict[str, Any]], axes: Axes) -> None:
    """What a segment costs by poll size: each model's share and Python's, with all signals."""
    rows = [row for row in rows if row["signals"] == "all"]
    places = [str(row["poll"]) for row in rows]
    bottom = [0.0] * len(rows)
    models = dict.fromkeys(model for row in rows for model in row["models_cpu_ms"])
    parts = {model: [row["models_cpu_ms"].get(model, 0.0) for row in rows] for model in models}
    for label, heights in {**parts, "Python": [row["python_cpu_ms"] for row in rows]}.items():
        axes.bar(places, heights, bottom=bottom, label=label.replace("_", " "))
        bottom = [below + height for below, height in zip(bottom, heights, strict=True)]
    axes.set(xlabel="segments a poll", ylabel="CPU ms a segment")
    axes.legend()


def _ratios(label: str) -> Callable[[list[dict[str, Any]], Axes], None]:
    def plot(rows: list[dict[str, Any]], axes: Axes) -> None:
        arms = [row for row in rows if "arm" in row]
        axes.plot([str(row["arm"]) for row in arms], [row["cpu_ratio"] for row in arms], marker="o")
        axes.axhline(1.1, linestyle="--", color="gray")
        axes.set(xlabel=label, ylabel="CPU of a segment, to the first", ylim=(0, None))

    return plot


def _live_load(rows: list[dict[str, Any]], axes: Axes) -> None:
    steps = sorted(rows, key=lambda row: row["calls"])
    for share in ("p50", "p90", "p99"):
        milliseconds = [1000 * row["latency_seconds"][share] for row in steps]
        axes.plot([row["calls"] for row in steps], milliseconds, marker="o", label=share)
    axes.axhline(LIMIT_MS, linestyle="--", color="gray")
    axes.set(xlabel="live calls", ylabel="ms from segment to assessment", yscale="log")
    axes.legend()


def _soak(rows: list[dict[str, Any]], axes: Axes) -> None:
    """Memory and the slowest of a hundred segments, minute by minute."""
    minutes = [row for row in rows if "minute" in row]
    places = [row["minute"] for row in minutes]
    (memory,) = axes.plot(places, [row["resident_mb"] for row in minutes], color="C0", label="memory")
    latency = axes.twinx()
    milliseconds = [1000 * row["latency_seconds"]["p99"] for row in minutes]
    (slowest,) = latency.plot(places, milliseconds, color="C1", label="p99")
    axes.set(xlabel="minute", ylabel="resident MB", ylim=(0, None))
    latency.set(ylabel="ms from segment to assessment", ylim=(0, None))
    axes.legend(handles=[memory, slowest], loc="lower right")


_PLOTS: Final[Mapping[str, Callable[[list[dict[str, Any]], Axes], None]]] = {
    "pipeline": _pipeline,
    "scaling_calls": _ratios("open calls"),
    "scaling_length": _ratios("minute of the call"),
    "live_load": _live_load,
    "soak": _soak,
    "soak_open_calls": _soak,
}
