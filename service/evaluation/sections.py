"""The report's sections: each part's figures as paragraphs, tables and plots in Markdown."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from service.evaluation.impact import RISK
from service.evaluation.injected import MEASURES
from service.evaluation.signals import KEPT, SIMPLE
from service.flagging import SEVERITIES

_UNKNOWN: Final = "-"
"""Stands for a figure that these labels cannot give: nothing differs, or one kind of label is not there."""

_NAMES: Final = {
    "auroc": "AUROC 2 against 0",
    "kendall_tau_b": "tau-b",
    "somers_d": "Somers' D",
    "matched_auroc": "matched AUROC",
    "rises": "rises",
    "recall_at_budget": "recall at the budget",
    "already_over": "already over",
}


def _impact(part: Mapping[str, Any]) -> list[str]:
    counts = ", ".join(f"{items} of impact {impact}" for impact, items in part["items_by_impact"].items())
    measures = ("auroc", "kendall_tau_b", "somers_d")
    ranking = [
        [name, *(_interval(found[measure]) for measure in measures)]
        for name, found in part["ranking"].items()
    ]
    ahead = [
        [name, *(_lead(found[measure]) for measure in measures)]
        for name, found in part["risk_ahead_of"].items()
    ]
    classes = [
        [name, _interval(read["utility"]), _interval(read["accuracy"])]
        for name, read in part["three_classes"].items()
    ]
    few = [
        (
            "**Few labels**: intervals are wide. A difference whose interval holds 0 may be chance, and what was "
            "chosen by looking at these items looks better on them than it is."
        )
    ]
    heads = [_NAMES[measure] for measure in measures]
    return [
        "## Clinicians' impact",
        f"{part['items']} mishearings of {part['calls']} calls: {counts}.",
        *(few if part["few"] else []),
        _table(["ranked by", *heads], ranking),
        f"What {RISK} is ahead by on the same resamples, and in how many of them:",
        _table([f"{RISK} less", *heads], ahead),
        _image("roc", "ROC: impact 2 against 0"),
        (
            "Read as the three classes, at the cut points that are worth most on the other calls by the published "
            f"utilities; to read every item as the same class is worth {part['utility_of_one_class']:.3f}:"
        ),
        _table(["read from", "mean utility", "accuracy"], classes),
        (
            "Predicted risk against the share of impact 2. These are all mishearings, so the share is higher than in "
            "calls, and the curve says which risks are too near to each other rather than what to expect:"
        ),
        _image("reliability_impact", "Reliability on clinicians' labels"),
    ]


def _injected(part: Mapping[str, Any]) -> list[str]:
    rows = [
        [name, str(part["errors"][name]), *(_interval(found[measure]) for measure in MEASURES)]
        for name, found in part["by_type"].items()
    ]
    mean = ["**mean over types**", str(sum(part["errors"].values()))]
    rows.append([*mean, *(_interval(part["mean"][measure]) for measure in MEASURES)])
    return [
        "## Injected errors",
        (
            f"{sum(part['errors'].values())} errors, one per copy of a stretch, against the same stretch untouched. "
            f"The budget of one alert in ten minutes is met on {part['clean_hours']:.1f} hours of {part['calls']} "
            f"clean calls at risk {part['budget_risk']:.3f}. An error counts as found if its segment or one of the "
            "two after it is above."
        ),
        _table(["type", "errors", *(_NAMES[measure] for measure in MEASURES)], rows),
        _image("recall", "Recall against alerts per hour of clean call"),
    ]


def _probability(part: Mapping[str, Any]) -> list[str]:
    rows = [[f"{one['predicted']:.3f}", f"{one['observed']:.3f}", str(one["items"])] for one in part["bins"]]
    return [
        "## Risk as a probability",
        (
            f"Over {part['items']} segments, altered ones (counted as harmful) and all of the clean calls (counted as "
            f"harmless), base rate {part['base_rate']:.3f}, in ten bins of equal mass: expected calibration error "
            f"**{part['calibration_error']:.3f}**, Brier score {part['brier']:.4f}, Brier skill against the base rate "
            f"**{part['brier_skill']:.3f}**."
        ),
        _table(["predicted", "observed", "segments"], rows),
        _image("reliability", "Reliability over altered and clean segments"),
    ]


def _signals(part: Mapping[str, Any]) -> list[str]:
    measures = [
        measure for measure in ("auroc", "matched_auroc") if any(measure in one for one in part.values())
    ]
    names = [name for name in part if not name.endswith(SIMPLE)]
    names += [name.removesuffix(SIMPLE) for name in part if name.removesuffix(SIMPLE) not in part]
    rows = [
        [name, *(_cell(part.get(form), measure) for measure in measures for form in (name + SIMPLE, name))]
        for name in sorted(names)
    ]
    heads = [f"{_NAMES[measure]}, {form}" for measure in measures for form in ("published form", "here")]
    return [
        "## Each signal alone",
        "By the score of the signal; a segment that it could not measure counts as healthy. 0.5 is chance.",
        _table(["signal", *heads], rows),
        _image("signals", "Each signal alone"),
    ]


def _ablation(part: Mapping[str, Any]) -> list[str]:
    measures = [measure for measure in KEPT if any(measure in change for change in part.values())]
    rows = [
        [
            signal,
            ", ".join(change["features"]),
            *(_difference(change[measure]) for measure in measures),
            _verdict([change[measure] for measure in measures]),
        ]
        for signal, change in part.items()
    ]
    return [
        "## What each signal is worth to risk",
        "What risk loses when it is fitted without the features of a signal; below 0 it gains.",
        _table(["without", "features in use", *(_NAMES[measure] for measure in measures), "verdict"], rows),
        _image("ablation", "What risk loses without a signal"),
    ]


def _attention(part: Mapping[str, Any]) -> list[str]:
    hours = part["hours"]

    def rate(flags: int) -> str:
        return f"{flags / hours:.1f}" if hours else "-"

    severities = [
        [severity, str(part["flags_by_severity"][severity]), rate(part["flags_by_severity"][severity])]
        for severity in SEVERITIES
    ]
    severities.append(["**urgent** (critical, high)", str(part["urgent_flags"]), rate(part["urgent_flags"])])
    types = [[name, str(flags), rate(flags)] for name, flags in part["flags_by_type"].items()]
    found = [
        [name, f"{one['flagged']:.2f}", f"{one['flagged_urgently']:.2f}"]
        for name, one in part["injected"].items()
    ]
    heads = ["flags", "an hour"]
    return [
        "## A reviewer's attention",
        (
            f"{part['calls']} clean calls, {hours:.1f} hours: {part['calls_sent_to_review']} "
            f"({part['calls_sent_to_review'] / part['calls']:.0%}) sent to review, {part['calls_with_urgent_flag']} "
            f"({part['calls_with_urgent_flag'] / part['calls']:.0%}) with an urgent flag."
        ),
        _table(["severity", *heads], severities),
        *([_table(["type", *heads], types)] if types else []),
        *(
            [
                (
                    "Injected errors with a flag, on their segment or one of the two after it, that the same stretch "
                    "untouched does not have:"
                ),
                _table(["type of error", "flagged", "flagged urgently"], found),
            ]
            if found
            else []
        ),
    ]


def _agreement(part: Mapping[str, Any]) -> list[str]:
    return [
        "## Formatted against bare text",
        (
            f"The {part['segments']} segments of the clean calls as given, and in lower case without punctuation: "
            f"correlation of risk **{part['risk_correlation']:.3f}** (of ranks "
            f"{part['risk_rank_correlation']:.3f}); of the flags on either form (same segment and type), "
            f"**{part['flags_in_common']:.1%}** are on both ({part['flags_given']} as given, {part['flags_bare']} "
            "bare)."
        ),
    ]


SECTIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], list[str]]]] = {
    "impact": _impact,
    "injected": _injected,
    "probability": _probability,
    "signals": _signals,
    "ablation": _ablation,
    "attention": _attention,
    "agreement": _agreement,
}
"""What writes each part, in the order of the page."""


def _verdict(changes: Sequence[Mapping[str, float]]) -> str:
    """Whether a signal earns its place, by the intervals of all measures."""
    gains = any(change["low"] > 0 for change in changes)
    costs = any(change["high"] < 0 for change in changes)
    if gains and costs:
        return "gains and costs"
    if gains or costs:
        return "earns its place" if gains else "costs"
    better = sum(change["difference"] > 0 for change in changes)
    return "not shown, better in most" if 2 * better > len(changes) else "not shown"


def _interval(figure: Mapping[str, float]) -> str:
    if math.isnan(figure["value"]):
        return _UNKNOWN
    return f"{figure['value']:.3f} [{figure['low']:.2f}, {figure['high']:.2f}]"


def _difference(figure: Mapping[str, float]) -> str:
    if math.isnan(figure["difference"]):
        return _UNKNOWN
    return f"{figure['difference']:+.3f} [{figure['low']:+.2f}, {figure['high']:+.2f}]"


def _lead(figure: Mapping[str, float]) -> str:
    ahead = "" if math.isnan(figure["ahead"]) else f", ahead in {figure['ahead']:.1%}"
    return f"{_difference(figure)}{ahead}"


def _cell(figures: Mapping[str, Any] | None, measure: str) -> str:
    return "" if figures is None else _interval(figures[measure])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _image(name: str, title: str) -> str:
    return f"![{title}]({name}.svg)"
