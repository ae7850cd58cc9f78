"""How well scores rank labelled items: AUROC, Kendall's tau-b, Somers' D, and the ROC curve.

All three are sums over pairs of items divided by how many pairs count. The sums are kept by the pairs' calls, so
that a resample of whole calls costs a product of small matrices and is exact, repeated items' ties included.
"""

import math
from dataclasses import dataclass

import numpy as np

from service.evaluation.resampling import Indices, Matrix, Statistic, Vector, divided


def auroc(scores: Vector, positive: Vector, calls: Indices, draws: Matrix) -> Statistic:
    """Probability that a positive item scores above a negative one, ties counting half.

    Args:
        scores: Higher is more likely positive [items].
        positive: 1 or 0 [items]; items with any other value are left out.
        calls: Each item's call [items].
        draws: How often each resample drew each call [resamples, calls].
    """
    pairs = np.outer(positive == 1, positive == 0)
    above = np.where(pairs, (_signs(scores) + 1.0) / 2.0, 0.0)
    return _PairRatio.of(above, pairs, pairs, calls, draws.shape[1]).statistic(draws)


def kendall_tau_b(scores: Vector, labels: Vector, calls: Indices, draws: Matrix) -> Statistic:
    """Concordant less discordant pairs, over the geometric mean of the pairs not tied in each.

    Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).

    Args:
        scores: [items].
        labels: [items].
        calls: Each item's call [items].
        draws: How often each resample drew each call [resamples, calls].
    """
    by_score, by_label = _signs(scores), _signs(labels)
    together = by_score * by_label
    return _PairRatio.of(together, by_score**2, by_label**2, calls, draws.shape[1]).statistic(draws)


def somers_d(scores: Vector, labels: Vector, calls: Indices, draws: Matrix) -> Statistic:
    """Concordant less discordant pairs, over the pairs whose labels differ.

    Somers, "A new asymmetric measure of association for ordinal variables", American Sociological Review 27
    (1962), with the scores as the dependent variable.

    Args:
        scores: [items].
        labels: [items].
        calls: Each item's call [items].
        draws: How often each resample drew each call [resamples, calls].
    """
    by_label = _signs(labels)
    differ = by_label**2
    return _PairRatio.of(_signs(scores) * by_label, differ, differ, calls, draws.shape[1]).statistic(draws)


def roc_curve(scores: Vector, positive: Vector) -> list[tuple[float, float]]:
    """Points (share of negatives, share of positives) at or above each threshold, from (0, 0) to (1, 1)."""
    used = (positive == 1) | (positive == 0)
    scores, positive = scores[used], positive[used]
    points = [(0.0, 0.0)]
    for threshold in np.unique(scores)[::-1]:
        at_least = scores >= threshold
        points.append((float(np.mean(at_least[positive == 0])), float(np.mean(at_least[positive == 1]))))
    return points


@dataclass(frozen=True, slots=True)
class _PairRatio:
    """Sums over pairs of items by the pair's calls [calls, calls]; the ratio is over the denominators' mean."""

    numerator: Matrix
    denominators: tuple[Matrix, Matrix]

    @classmethod
    def of(cls, numerator: Matrix, first: Matrix, second: Matrix, calls: Indices, count: int) -> "_PairRatio":
        member = np.zeros((len(calls), count))
        member[np.arange(len(calls)), calls] = 1.0
        by_call = [member.T @ pairs @ member for pairs in (numerator, first, second)]
        return cls(by_call[0], (by_call[1], by_call[2]))

    def statistic(self, draws: Matrix) -> Statistic:
        above = _quadratic(draws, self.numerator)
        first, second = (_quadratic(draws, pairs) for pairs in self.denominators)
        below = math.sqrt(float(self.denominators[0].sum()) * float(self.denominators[1].sum()))
        value = float(self.numerator.sum()) / below if below else math.nan
        return Statistic(value, divided(above, np.sqrt(first * second)))


def _signs(values: Vector) -> Matrix:
    """Which of two items is larger: 1, 0 or -1 [items, items]."""
    first, second = values[:, None], values[None, :]
    return (first > second).astype(np.float64) - (first < second)


def _quadratic(draws: Matrix, pairs: Matrix) -> Vector:
    summed: Vector = np.einsum("rc,rc->r", draws @ pairs, draws)
    return summed
