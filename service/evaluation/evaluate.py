"""All figures of the report: each part where its labels are there."""

from typing import Any

from service.evaluation.agreement import agreement_figures
from service.evaluation.attention import attention_figures
from service.evaluation.impact import impact_figures
from service.evaluation.injected import injected_figures
from service.evaluation.probability import probability_figures
from service.evaluation.signals import ablation_figures, signal_figures
from service.evaluation.study import Study

DIGITS = 6
"""Decimal places of a figure: more would be the machine's, not the data's."""


def evaluate(study: Study) -> dict[str, Any]:
    """Figures by part; plain data as JSON takes it."""
    figures: dict[str, Any] = {"form": study.form, "fitted_without_each_call": study.folds.otherwise is None}
    if study.labels.impact:
        figures["impact"] = impact_figures(study)
    if study.labels.injected:
        figures["injected"] = injected_figures(study)
        figures["probability"] = probability_figures(study)
    if study.labels.impact or study.labels.injected:
        figures["signals"] = signal_figures(study)
    if study.folds.otherwise is None:
        figures["ablation"] = ablation_figures(study)
    if study.labels.calls:
        figures["attention"] = attention_figures(study)
        figures["agreement"] = agreement_figures(study)
    return {name: rounded(part) for name, part in figures.items()}


def rounded(figures: Any) -> Any:
    """The same with every number rounded."""
    if isinstance(figures, float):
        return round(figures, DIGITS) + 0.0  # no negative zero
    if isinstance(figures, dict):
        return {name: rounded(figure) for name, figure in figures.items()}
    if isinstance(figures, list | tuple):
        return [rounded(figure) for figure in figures]
    return figures
