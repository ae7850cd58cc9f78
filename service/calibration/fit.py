"""Logistic regression with a Gaussian prior, by Newton's method: small, exact and reproducible.

Weights are fitted on standardised features, so that parts fitted on different examples can be added up, and the sum
brought to the level of probabilities (Platt 1999).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.calibration.examples import Example
from service.calibration.features import Reasoned
from service.errors import AuscultError
from service.risk import FeatureWeight, RiskWeights

Matrix = NDArray[np.float64]
Rows = NDArray[np.bool_]

_LOW, _HIGH = 0.5, 99.5
"""Percentiles to which a feature is clipped, so that no single value decides."""

_ITERATIONS = 50
_CONVERGED = 1e-10
_DECIMALS = 6
_LEVEL_PRIOR = 1e-3
"""Prior precision of the slope that brings scores to probabilities: none but for scores that part all examples."""


class TooFewExamples(AuscultError):
    """The examples do not hold both kinds."""


@dataclass(frozen=True, slots=True)
class Table:
    """Examples as columns of numbers.

    Attributes:
        scales: How each feature is clipped and standardised; its weight is not set. A feature that never differs
            is left out.
        columns: Each of these features in standard deviations from its average, float64 [examples]; one that an
            example lacks counts as the average, 0.
        harmful: Labels, float64 [examples].
    """

    scales: Mapping[str, FeatureWeight]
    columns: Mapping[str, Matrix]
    harmful: Matrix

    def rows(self, chosen: Rows) -> "Table":
        """The chosen examples, on the same scales."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        return Table(self.scales, columns, self.harmful[chosen])

    @property
    def both_kinds(self) -> bool:
        """Whether there are examples of different labels."""
        return np.unique(self.harmful).size > 1

    def matrix(self, names: Iterable[str]) -> Matrix:
        """A column of ones and those of the named features, float64 [examples, 1 + features]."""
        return np.column_stack([np.ones(self.harmful.size), *(self.columns[name] for name in names)])


@dataclass(frozen=True, slots=True)
class LinearScore:
    """Log-odds as a weighted sum of standardised features."""

    intercept: float
    weights: Mapping[str, float]

    def plus(self, other: "LinearScore") -> "LinearScore":
        """The sum of both log-odds: of two pieces of evidence that are independent given the answer."""
        names = dict.fromkeys((*self.weights, *other.weights))
        return LinearScore(
            self.intercept + other.intercept,
            {name: self.weights.get(name, 0.0) + other.weights.get(name, 0.0) for name in names},
        )

    def of(self, table: Table) -> Matrix:
        """Log-odds of each example, float64 [examples]."""
        log_odds: Matrix = table.matrix(self.weights) @ np.array([self.intercept, *self.weights.values()])
        return log_odds


def table_of(examples: Sequence[Example], names: Iterable[str]) -> Table:
    """The named features of examples, on scales of these examples."""
    scales: dict[str, FeatureWeight] = {}
    columns: dict[str, Matrix] = {}
    for name in dict.fromkeys(names):
        values = np.array([example.features.get(name, np.nan) for example in examples], np.float64)
        known = values[~np.isnan(values)]
        if np.unique(known).size > 1:
            scales[name] = scale = _scale(known)
            clipped = np.clip(values, scale.low, scale.high)
            columns[name] = np.nan_to_num((clipped - scale.center) / scale.scale)
    return Table(scales, columns, np.array([example.harmful for example in examples], np.float64))


def fit_score(table: Table, counts: Matrix, signs: Mapping[str, int], prior_strength: float) -> LinearScore:
    """Fits weights for features.

    Args:
        table: Labelled segments; a feature that it does not have is left out.
        counts: How much each counts, float64 [examples].
        signs: The features, each with what reason says of its direction: +1, -1, or 0 for nothing. A feature
            whose weight comes out the other way is left out.
        prior_strength: Precision of the weights' prior around zero, in examples: higher is smoother.

    Raises:
        TooFewExamples: there is no harmful, or no harmless, example.
    """
    harmful = _labels(table)
    used = {name: sign for name, sign in signs.items() if name in table.columns}
    while True:
        columns = table.matrix(used)
        precision = np.full(columns.shape[1], prior_strength)
        precision[0] = _CONVERGED
        intercept, *weights = _newton(columns, harmful, counts, precision)
        against_reason = {
            name for (name, sign), weight in zip(used.items(), weights, strict=True) if weight * sign < 0
        }
        if not against_reason:
            return LinearScore(float(intercept), dict(zip(used, map(float, weights), strict=True)))
        used = {name: sign for name, sign in used.items() if name not in against_reason}


def balanced(table: Table, harmful_share: float) -> Matrix:
    """How much each example counts so that this share of all is harmful, float64 [examples]; their sum stays.

    Raises:
        TooFewExamples: there is no harmful, or no harmless, example.
    """
    harmful = _labels(table)
    positive, negative = harmful.sum(), (1.0 - harmful).sum()
    counts: Matrix = harmful.size * (
        harmful * harmful_share / positive + (1.0 - harmful) * (1.0 - harmful_share) / negative
    )
    return counts


def at_level(score: LinearScore, table: Table) -> LinearScore:
    """A score stretched and shifted so that it is the probability of these examples' labels (Platt 1999).

    Raises:
        TooFewExamples: there is no harmful, or no harmless, example.
    """
    harmful = _labels(table)
    columns = np.column_stack([np.ones(harmful.size), score.of(table)])
    offset, slope = _newton(columns, harmful, np.ones(harmful.size), np.array([_CONVERGED, _LEVEL_PRIOR]))
    return LinearScore(
        float(offset + slope * score.intercept),
        {name: float(slope * weight) for name, weight in score.weights.items()},
    )


def risk_weights(
    score: LinearScore, scales: Mapping[str, FeatureWeight], fitted_on: Mapping[str, str | int | float]
) -> RiskWeights:
    """A score as the file that the risk model reads; features without weight are left out."""
    features = {
        name: scales[name].model_copy(update={"weight": round(weight, _DECIMALS)})
        for name, weight in score.weights.items()
        if round(weight, _DECIMALS)
    }
    return RiskWeights(
        intercept=round(score.intercept, _DECIMALS), features=features, fitted_on=dict(fitted_on)
    )


def with_reasoned(weights: RiskWeights, reasoned: Mapping[str, Reasoned]) -> RiskWeights:
    """Weights, and beside them what reason says of evidence that no label speaks of."""
    features = {
        name: FeatureWeight(weight=one.log_odds, center=one.above, scale=1.0, low=one.above, high=one.up_to)
        for name, one in reasoned.items()
    }
    return weights.model_copy(update={"features": {**weights.features, **features}})


def _labels(table: Table) -> Matrix:
    if not table.both_kinds:
        raise TooFewExamples("The labels need harmful and harmless examples.")
    return table.harmful


def _scale(known: Matrix) -> FeatureWeight:
    low, high = _bounds(known)
    clipped = np.clip(known, low, high)
    return FeatureWeight(
        weight=0.0,
        center=round(float(clipped.mean()), _DECIMALS),
        scale=round(float(clipped.std()), _DECIMALS) or 1.0,
        low=round(low, _DECIMALS),
        high=round(high, _DECIMALS),
    )


def _bounds(known: Matrix) -> tuple[float, float]:
    """Between which values a feature counts. Most features are usually 0: the others say how far they reach."""
    usual = float(np.median(known))
    unusual = known[known != usual]
    low, high = np.percentile(unusual, [_LOW, _HIGH])
    return min(float(low), usual), max(float(high), usual)


def _newton(columns: Matrix, harmful: Matrix, counts: Matrix, precision: Matrix) -> Matrix:
    weights = np.zeros(columns.shape[1])
    for _ in range(_ITERATIONS):
        probability = 1.0 / (1.0 + np.exp(-columns @ weights))
        gradient = columns.T @ (counts * (harmful - probability)) - precision * weights
        spread = (counts * probability * (1 - probability))[:, None]
        step = np.linalg.solve((columns * spread).T @ columns + np.diag(precision), gradient)
        weights = weights + step
        if float(np.abs(step).max()) < _CONVERGED:
            break
    return weights
