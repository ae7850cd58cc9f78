"""Logistic regression with a Gaussian prior, by Newton's method: small, exact and reproducible."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from service.calibration.examples import Example
from service.errors import AuscultError
from service.risk import FeatureWeight, RiskWeights

Matrix = NDArray[np.float64]

_LOW, _HIGH = 0.5, 99.5
"""Percentiles to which a feature is clipped, so that no single value decides."""

_ITERATIONS = 50
_CONVERGED = 1e-10


class TooFewExamples(AuscultError):
    """The examples do not hold both kinds."""


def fit_risk(
    examples: Sequence[Example],
    names: Sequence[str],
    prior_strength: float,
    fitted_on: Mapping[str, str | int | float],
    signs: Mapping[str, int] | None = None,
) -> RiskWeights:
    """Fits weights for the named features.

    Args:
        examples: Labelled segments; a feature that an example lacks counts as the average.
        names: Features to use; one that never differs among the examples is left out.
        prior_strength: Precision of the weights' prior around zero, in examples: higher is smoother.
        fitted_on: What the examples are, for the record.
        signs: For some features +1 or -1: what reason says of the direction. A weight that comes out the other
            way is set to zero.

    Raises:
        TooFewExamples: there is no harmful, or no harmless, example.
    """
    harmful = np.array([example.harmful for example in examples])
    if not examples or harmful.max() == harmful.min():
        raise TooFewExamples("The labels need harmful and harmless examples.")
    counts = np.array([example.weight for example in examples])
    used = [
        name
        for name in names
        if len({example.features[name] for example in examples if name in example.features}) > 1
    ]
    while True:
        parts, columns = _standardised(examples, used)
        weights = _newton(columns, harmful, counts, prior_strength)
        wrong = [
            name
            for name, weight in zip(used, weights[1:], strict=True)
            if weight * (signs or {}).get(name, 0) < 0
        ]
        if not wrong:
            break
        used = [name for name in used if name not in wrong]
    features = {
        name: part.model_copy(update={"weight": round(float(weight), 6)})
        for name, part, weight in zip(used, parts, weights[1:], strict=True)
    }
    return RiskWeights(intercept=round(float(weights[0]), 6), features=features, fitted_on=dict(fitted_on))


def _standardised(examples: Sequence[Example], names: Sequence[str]) -> tuple[list[FeatureWeight], Matrix]:
    parts: list[FeatureWeight] = []
    columns: list[NDArray[np.float64]] = [np.ones(len(examples))]
    for name in names:
        values = np.array([example.features.get(name, np.nan) for example in examples])
        known = values[~np.isnan(values)]
        low, high = _bounds(known)
        clipped = np.clip(known, low, high)
        center = round(float(clipped.mean()), 6) if known.size else 0.0
        scale = round(float(clipped.std()), 6) if known.size else 0.0
        part = FeatureWeight(
            weight=0.0,
            center=center,
            scale=scale or 1.0,
            low=round(float(low), 6),
            high=round(float(high), 6),
        )
        parts.append(part)
        columns.append(np.nan_to_num((np.clip(values, part.low, part.high) - part.center) / part.scale))
    return parts, np.stack(columns, axis=1)


def _bounds(known: NDArray[np.float64]) -> tuple[float, float]:
    """Between which values a feature counts. Most features are usually 0: the others say how far they reach."""
    if not known.size:
        return 0.0, 0.0
    usual = float(np.median(known))
    unusual = known[known != usual]
    low, high = np.percentile(unusual if unusual.size else known, [_LOW, _HIGH])
    return min(float(low), usual), max(float(high), usual)


def _newton(columns: Matrix, harmful: Matrix, counts: Matrix, prior_strength: float) -> Matrix:
    precision = np.full(columns.shape[1], prior_strength)
    precision[0] = 1e-6
    weights = np.zeros(columns.shape[1])
    for _ in range(_ITERATIONS):
        probability = 1.0 / (1.0 + np.exp(-columns @ weights))
        gradient = columns.T @ (counts * (harmful - probability)) - precision * weights
        curvature = (columns * (counts * probability * (1 - probability))[:, None]).T @ columns + np.diag(
            precision
        )
        step = np.linalg.solve(curvature, gradient)
        weights = weights + step
        if float(np.abs(step).max()) < _CONVERGED:
            break
    return weights
