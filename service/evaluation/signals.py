"""What each signal finds alone, the published form beside the better one, and what is lost without it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from service.evaluation.folds import leave_one_call_out
from service.evaluation.impact import ImpactLabels
from service.evaluation.injected import InjectedErrors, means
from service.evaluation.measured_segment import MeasuredSegment
from service.evaluation.resampling import Statistic, mean_of
from service.evaluation.study import Measure, Study

SIMPLE: Final = "_simple"
"""Ends the name of a published form."""

KEPT: Final = ("auroc", "kendall_tau_b", "somers_d", "matched_auroc", "recall_at_budget")


def signal_figures(study: Study) -> dict[str, dict[str, Any]]:
    """By reading: how many segments have it, and how well its score ranks labels and injected errors.

    A segment without the reading counts as healthy.
    """
    measured = _measured_segments(study)
    names = sorted({name for segment in measured for name in segment.readings})
    impact = ImpactLabels(study) if study.labels.impact else None
    errors = InjectedErrors(study) if study.labels.injected else None
    figures: dict[str, dict[str, Any]] = {}
    for name in names:
        measure = _illness(name)
        figures[name] = {"measured": sum(name in one.readings for one in measured) / len(measured)}
        if impact is not None:
            figures[name]["auroc"] = impact.ranked_by(study.of_impact(measure))["auroc"].figures()
        if errors is not None:
            matched = errors.matched_auroc(study.of_injected(measure))
            figures[name]["matched_auroc"] = mean_of(list(matched.values())).figures()
    return figures


def ablation_figures(study: Study) -> dict[str, dict[str, Any]]:
    """By signal: what the figures of risk change by when weights are fitted without the signal's features."""
    whole = _figures_of_risk(study)
    in_use = set().union(*(model.weights.features for model in study.folds.by_call.values()))
    signals: dict[str, list[str]] = {}
    for feature, signal in study.measured.signals.items():
        if feature in in_use:
            signals.setdefault(signal, []).append(feature)
    return {
        signal: {"features": features} | _change(whole, _figures_of_risk(_without(study, features)))
        for signal, features in signals.items()
    }


def _without(study: Study, features: Collection[str]) -> Study:
    folds = leave_one_call_out(study.labels, study.measured, without_features=features)
    return replace(study, folds=folds)


def _figures_of_risk(study: Study) -> dict[str, Statistic]:
    figures: dict[str, Statistic] = {}
    if study.labels.impact:
        figures |= ImpactLabels(study).ranked_by(study.of_impact(study.risk))
    if study.labels.injected:
        errors = InjectedErrors(study)
        clean = study.clean_calls(errors.calls)
        figures |= means(errors.by_type(study.of_injected(study.risk), clean))
    return {name: figures[name] for name in KEPT if name in figures}


def _change(whole: Mapping[str, Statistic], without: Mapping[str, Statistic]) -> dict[str, Any]:
    """What is gained by having it: positive earns its place."""
    return {name: figure.ahead_of(without[name]) for name, figure in whole.items()}


def _measured_segments(study: Study) -> list[MeasuredSegment]:
    return [
        segment
        for parts in (study.measured.calls, study.measured.stretches)
        for segments in parts[study.form].values()
        for segment in segments
    ]


def _illness(name: str) -> Measure:
    def illness(_: str, segment: MeasuredSegment) -> float:
        reading = segment.readings.get(name)
        return 0.0 if reading is None else 1.0 - reading.score

    return illness
