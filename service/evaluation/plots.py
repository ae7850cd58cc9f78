"""The report's plots, as SVG files: the same figures give the same bytes. Needs matplotlib."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from service.evaluation.budget import MINUTES_PER_ALERT
from service.evaluation.impact import RISK
from service.evaluation.signals import SIMPLE

_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "auscult",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_METADATA: Final = {"Date": None, "Creator": None}

_CHANCE: Final[dict[str, Any]] = {"linestyle": "--", "color": "gray", "linewidth": 1.0}
_BUDGET_PER_HOUR: Final = 60.0 / MINUTES_PER_ALERT
_HOURLY_TICKS: Final = (0.5, 1, 2, 6, 10, 20, 60)


def draw(figures: Mapping[str, Any], folder: Path) -> None:
    """Draws a plot for each part that has one."""
    for name, (part, plot, size) in _PLOTS.items():
        if part in figures:
            with rc_context(_STYLE):
                figure = Figure(figsize=size, layout="constrained")
                plot(figures[part], figure.subplots())
                figure.savefig(folder / f"{name}.svg", format="svg", metadata=_METADATA)


def _roc(part: Mapping[str, Any], axes: Axes) -> None:
    for name, points in part["roc"].items():
        value = part["ranking"][name]["auroc"]["value"]
        width = 2.5 if name == RISK else 1.0
        axes.plot(*zip(*points, strict=True), label=f"{name} ({value:.2f})", linewidth=width)
    axes.plot((0, 1), (0, 1), **_CHANCE)
    axes.set(xlabel="share of impact 0 at or above", ylabel="share of impact 2 at or above", aspect="equal")
    axes.legend(fontsize="small")


def _reliability(part: Mapping[str, Any], axes: Axes) -> None:
    predicted = [one["predicted"] for one in part["bins"]]
    observed = [one["observed"] for one in part["bins"]]
    axes.plot(predicted, observed, marker="o")
    end = max(*predicted, *observed, 0.05)
    axes.plot((0, end), (0, end), **_CHANCE)
    axes.set(xlabel="mean predicted risk", ylabel="observed share")


def _reliability_impact(part: Mapping[str, Any], axes: Axes) -> None:
    _reliability(part["reliability"], axes)


def _recall(part: Mapping[str, Any], axes: Axes) -> None:
    for name, shares in part["recall"].items():
        axes.plot(part["alerts_per_hour"], shares, label=name.replace("_", " "))
    axes.axvline(_BUDGET_PER_HOUR, **_CHANCE)
    axes.set(xlabel="alerts per hour of clean call", ylabel="recall", xscale="log", ylim=(0, 1))
    axes.set_xticks(_HOURLY_TICKS, [f"{rate:g}" for rate in _HOURLY_TICKS])
    axes.set_xticks([], minor=True)
    axes.legend(fontsize="small")


def _signals(part: Mapping[str, Any], axes: Axes) -> None:
    measure = "matched_auroc" if any("matched_auroc" in one for one in part.values()) else "auroc"
    names = sorted({name.removesuffix(SIMPLE) for name in part}, reverse=True)
    for offset, ending, label in ((0.2, "", "here"), (-0.2, SIMPLE, "published form")):
        places = [place + offset for place, name in enumerate(names) if name + ending in part]
        found = [part[name + ending][measure] for name in names if name + ending in part]
        axes.barh(
            places, [one["value"] - 0.5 for one in found], 0.36, 0.5, label=label, xerr=_spans(found, "value")
        )
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.axvline(0.5, color="black", linewidth=0.8)
    axes.set(xlabel="matched AUROC on injected errors" if measure == "matched_auroc" else "AUROC 2 against 0")
    axes.legend(fontsize="small")


def _ablation(part: Mapping[str, Any], axes: Axes) -> None:
    names = sorted(part, reverse=True)
    measures = [
        name
        for name in ("somers_d", "matched_auroc", "recall_at_budget")
        if all(name in part[one] for one in names)
    ]
    for index, measure in enumerate(measures):
        found = [part[name][measure] for name in names]
        places = [place + 0.25 * (1 - index) for place in range(len(names))]
        axes.errorbar(
            [one["difference"] for one in found],
            places,
            xerr=_spans(found, "difference"),
            fmt="o",
            markersize=4,
            label=measure.replace("_", " "),
        )
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.axvline(0.0, **_CHANCE)
    axes.set(xlabel="what risk loses without it")
    axes.legend(fontsize="small")


def _spans(found: Sequence[Mapping[str, float]], value: str) -> list[list[float]]:
    """How far an interval reaches below and above; never less than nothing."""
    return [
        [max(0.0, one[value] - one["low"]) for one in found],
        [max(0.0, one["high"] - one[value]) for one in found],
    ]


_PLOTS: Final[Mapping[str, tuple[str, Callable[[Any, Axes], None], tuple[float, float]]]] = {
    "roc": ("impact", _roc, (5.0, 5.0)),
    "reliability_impact": ("impact", _reliability_impact, (4.0, 3.5)),
    "recall": ("injected", _recall, (6.0, 4.0)),
    "reliability": ("probability", _reliability, (4.0, 3.5)),
    "signals": ("signals", _signals, (6.0, 5.0)),
    "ablation": ("ablation", _ablation, (6.0, 5.0)),
}
"""By the file's name: the part that is drawn, how, and its size in inches."""
