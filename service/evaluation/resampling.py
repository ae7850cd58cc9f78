"""Bootstrap over calls: segments of one call are alike, so whole calls are drawn, never segments.

Everything that is compared is computed on the same draws, so that a difference has an interval of its own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Indices = NDArray[np.intp]

RESAMPLES = 2000
SEED = 1

_INTERVAL = (2.5, 97.5)
"""Percentiles of a 95 % interval."""

_LEAST = 1e-12
"""Differences below are rounding: the same ratio reached by two sums."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Which call each item comes from, and how often each resample drew each call.

    Attributes:
        names: The calls, in order.
        draws: How often each call was drawn [resamples, calls].
    """

    names: tuple[str, ...]
    draws: Matrix

    @classmethod
    def of(cls, names: Sequence[str], resamples: int = RESAMPLES, seed: int = SEED) -> "Calls":
        """As many calls as there are, drawn with replacement."""
        distinct = tuple(sorted(set(names)))
        shares = np.full(len(distinct), 1.0 / len(distinct))
        chance = np.random.Generator(np.random.PCG64(seed))
        return cls(distinct, chance.multinomial(len(distinct), shares, size=resamples).astype(np.float64))

    def places(self, names: Sequence[str]) -> Indices:
        """Index of each item's call [items]."""
        place = {name: index for index, name in enumerate(self.names)}
        return np.array([place[name] for name in names], dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Statistic:
    """A figure, and what it would have been with other calls of the same kind.

    Attributes:
        value: Over all calls.
        draws: Over each resample [resamples]; not a number where a resample has nothing to measure.
    """

    value: float
    draws: Vector

    def figures(self) -> dict[str, float]:
        """The value and its 95 % interval."""
        low, high = _interval(self.draws)
        return {"value": self.value, "low": low, "high": high}

    def ahead_of(self, other: "Statistic") -> dict[str, float]:
        """How much larger than another figure of the same calls, with its interval.

        `ahead` is the share of resamples in which it is larger; a tie counts half.
        """
        differences = self.draws - other.draws
        known = differences[np.isfinite(differences)]
        low, high = _interval(known)
        ahead = float(np.mean((known > _LEAST) + 0.5 * (np.abs(known) <= _LEAST))) if known.size else math.nan
        return {"difference": self.value - other.value, "low": low, "high": high, "ahead": ahead}


def mean_of(statistics: Sequence[Statistic]) -> Statistic:
    """The mean of several figures of the same calls; in a resample, of those that could be measured."""
    draws = np.stack([statistic.draws for statistic in statistics])
    known = np.isfinite(draws)
    counts = known.sum(axis=0)
    means = np.where(counts > 0, np.where(known, draws, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan)
    return Statistic(float(np.mean([statistic.value for statistic in statistics])), means)


def ratio(numerator: Vector, denominator: Vector, calls: Indices, draws: Matrix) -> Statistic:
    """A sum over items divided by another.

    Args:
        numerator: [items].
        denominator: [items].
        calls: Each item's call [items].
        draws: How often each resample drew each call [resamples, calls].
    """
    above, below = (
        np.bincount(calls, weights=part, minlength=draws.shape[1]) for part in (numerator, denominator)
    )
    total = float(below.sum())
    return Statistic(float(above.sum()) / total if total else math.nan, divided(draws @ above, draws @ below))


def divided(numerator: Vector, denominator: Vector) -> Vector:
    """Quotients; not a number where the denominator is 0."""
    return np.where(denominator != 0, numerator / np.where(denominator != 0, denominator, 1.0), np.nan)


def _interval(draws: Vector) -> tuple[float, float]:
    known = draws[np.isfinite(draws)]
    if not known.size:
        return math.nan, math.nan
    low, high = np.percentile(known, _INTERVAL)
    return float(low), float(high)
