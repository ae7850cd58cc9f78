"""Injected errors: does the altered segment stand out from the same segment untouched, and within the budget?"""

from typing import Any, Final

import numpy as np

from service.evaluation.budget import CleanCalls, Operating, recall_curve, share_above
from service.evaluation.ranking import auroc
from service.evaluation.resampling import Calls, Indices, Matrix, Statistic, Vector, mean_of, ratio
from service.evaluation.study import InjectedNumbers, Study

RISES_BY: Final = 1e-3
"""A smaller rise of risk counts as none."""

ALERTS_PER_HOUR: Final = (0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60)
"""Budgets for which recall is drawn."""

MEASURES: Final = ("matched_auroc", "rises", "recall_at_budget", "already_over")


class InjectedErrors:
    """The injected errors of each type, and how well numbers tell them from the same segments untouched.

    Args:
        study: With injected errors.
    """

    def __init__(self, study: Study) -> None:
        names = [pair.call for pair in study.labels.injected]
        types = np.array([pair.type for pair in study.labels.injected])
        self.calls = Calls.of(list(study.labels.calls))
        self.of_type = {str(name): np.flatnonzero(types == name) for name in np.unique(types)}
        self._places: Indices = self.calls.places(names)

    def matched_auroc(self, numbers: InjectedNumbers) -> dict[str, Statistic]:
        """By type: altered segments against the same segments untouched."""
        return {
            name: matched_auroc(
                numbers.altered[at], numbers.untouched[at], self._places[at], self.calls.draws
            )
            for name, at in self.of_type.items()
        }

    def by_type(self, numbers: InjectedNumbers, clean: CleanCalls) -> dict[str, dict[str, Statistic]]:
        """By type and measure.

        Args:
            numbers: Risk of the injected errors.
            clean: Risk of all segments of the clean calls.
        """
        draws = self.calls.draws
        budget = Operating.of(clean, draws)
        rises = (numbers.altered_peak > numbers.untouched_peak + RISES_BY).astype(np.float64)
        matched = self.matched_auroc(numbers)
        found = {}
        for name, at in self.of_type.items():
            places = self._places[at]
            found[name] = {
                "matched_auroc": matched[name],
                "rises": ratio(rises[at], np.ones(len(at)), places, draws),
                "recall_at_budget": share_above(numbers.altered_peak[at], budget, places, draws),
                "already_over": share_above(numbers.untouched_peak[at], budget, places, draws),
            }
        return found


def matched_auroc(altered: Vector, untouched: Vector, calls: Indices, draws: Matrix) -> Statistic:
    """Probability that an altered segment has a higher number than an untouched one.

    Args:
        altered: [errors].
        untouched: The same segments without the error [errors].
        calls: Each error's call [errors].
        draws: How often each resample drew each call [resamples, calls].
    """
    scores, positive = np.concatenate([altered, untouched]), np.repeat([1.0, 0.0], len(altered))
    return auroc(scores, positive, np.tile(calls, 2), draws)


def means(by_type: dict[str, dict[str, Statistic]]) -> dict[str, Statistic]:
    """Each measure's mean over the types."""
    return {measure: mean_of([found[measure] for found in by_type.values()]) for measure in MEASURES}


def injected_figures(study: Study) -> dict[str, Any]:
    """Figures by type of error and on average, and recall by type against alerts per hour."""
    errors = InjectedErrors(study)
    numbers, clean = study.of_injected(study.risk), study.clean_calls(errors.calls)
    by_type = errors.by_type(numbers, clean)
    return {
        "errors": {name: len(at) for name, at in errors.of_type.items()},
        "calls": len(errors.calls.names),
        "clean_segments": len(clean.risk),
        "clean_hours": float(clean.minutes.sum()) / 60.0,
        "budget_risk": clean.threshold(),
        "by_type": {name: _figures(found) for name, found in by_type.items()},
        "mean": _figures(means(by_type)),
        "alerts_per_hour": list(ALERTS_PER_HOUR),
        "recall": {
            name: recall_curve(numbers.altered_peak[at], clean, ALERTS_PER_HOUR)
            for name, at in errors.of_type.items()
        },
    }


def _figures(found: dict[str, Statistic]) -> dict[str, dict[str, float]]:
    return {name: statistic.figures() for name, statistic in found.items()}
