"""Clinicians' impact: does risk rank mishearings as the clinicians who labelled them do, and better than what?"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from service.calibration.labelled import IMPACT_HARMFUL
from service.evaluation.likelihood import ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT
from service.evaluation.ranking import auroc, kendall_tau_b, roc_curve, somers_d
from service.evaluation.reliability import reliability
from service.evaluation.resampling import Calls, Indices, Statistic, Vector
from service.evaluation.study import Measure, Study
from service.evaluation.three_classes import three_class_figures, utility_of_one_class

FEW_ITEMS: Final = 200
"""With fewer labels, or with fewer calls than the next, intervals are wide and a figure alone says little."""

FEW_CALLS: Final = 30

RISK: Final = "risk"
PEAKS: Final = "top-3 NLL in context"
WORD_ERRORS: Final = "word error rate"

AHEAD_OF: Final = (PEAKS, WORD_ERRORS)
"""What risk is compared with, call by call."""

_MEASURES: Final = {"auroc": auroc, "kendall_tau_b": kendall_tau_b, "somers_d": somers_d}


class ImpactLabels:
    """Clinicians' labels, and how well numbers rank them.

    Args:
        study: With labelled mishearings.
    """

    def __init__(self, study: Study) -> None:
        self._names = [item.source_call for item in study.labels.impact]
        self.labels: Vector = np.array([item.impact for item in study.labels.impact], dtype=np.float64)
        self.significant: Vector = np.select([self.labels == 2, self.labels == 0], [1.0, 0.0], 0.5)
        self.calls = Calls.of(self._names)
        self._places: Indices = self.calls.places(self._names)

    def ranked_by(self, scores: Vector) -> dict[str, Statistic]:
        """AUROC of 2 against 0, Kendall's tau-b and Somers' D of the labels given the scores."""
        return {
            name: measure(
                scores,
                self.significant if name == "auroc" else self.labels,
                self._places,
                self.calls.draws,
            )
            for name, measure in _MEASURES.items()
        }

    def read_as_classes(self, scores: Vector) -> dict[str, Any]:
        """The scores read as the three classes."""
        return three_class_figures(scores, self.labels.astype(np.intp), self._names, self.calls)

    def utility_of_one_class(self) -> float:
        """What it is worth to read every item as the same class."""
        return utility_of_one_class(self.labels.astype(np.intp))


def impact_figures(study: Study) -> dict[str, Any]:
    """Figures of risk and of each baseline, risk against the baselines, the ROC and the reliability curve."""
    labels = ImpactLabels(study)
    scores = _scores(study)
    ranked = {name: labels.ranked_by(values) for name, values in scores.items()}
    risk = scores[RISK]
    counts = Counter(item.impact for item in study.labels.impact)
    return {
        "items": len(risk),
        "calls": len(labels.calls.names),
        "items_by_impact": {str(impact): counts[impact] for impact in IMPACT_HARMFUL},
        "few": len(risk) < FEW_ITEMS or len(labels.calls.names) < FEW_CALLS,
        "ranking": {
            name: {measure: found.figures() for measure, found in by_measure.items()}
            for name, by_measure in ranked.items()
        },
        "risk_ahead_of": {
            name: {measure: ranked[RISK][measure].ahead_of(found) for measure, found in ranked[name].items()}
            for name in AHEAD_OF
            if name in ranked
        },
        "three_classes": {name: labels.read_as_classes(values) for name, values in scores.items()},
        "utility_of_one_class": labels.utility_of_one_class(),
        "roc": {name: roc_curve(values, labels.significant) for name, values in scores.items()},
        "reliability": reliability(risk, (labels.labels == 2).astype(np.float64)),
    }


def _scores(study: Study) -> Mapping[str, Vector]:
    """Risk, the baselines without reference, and where every reference is known those with it."""
    scores = {
        RISK: study.of_impact(study.risk),
        "NLL of the segment alone": study.of_impact(_feature(ALONE)),
        "mean NLL in context": study.of_impact(_feature(IN_CONTEXT)),
        PEAKS: study.of_impact(_feature(PEAKS_IN_CONTEXT)),
    }
    if all(item.reference is not None for item in study.labels.impact):
        from service.evaluation.word_errors import character_error_rate, word_error_rate

        scores[WORD_ERRORS] = np.array([word_error_rate(item) for item in study.labels.impact])
        scores["character error rate"] = np.array(
            [character_error_rate(item) for item in study.labels.impact]
        )
    return scores


def _feature(name: str) -> Measure:
    """A feature; a segment without it ranks lowest."""
    return lambda _, segment: segment.features.get(name, -np.inf)
