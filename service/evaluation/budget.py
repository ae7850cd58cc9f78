"""What is found at a bounded number of alerts: thresholds from clean calls, recall above them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from service.evaluation.resampling import Indices, Matrix, Statistic, Vector, divided

MINUTES_PER_ALERT = 10.0
"""The budget: one alert in so many minutes of clean call."""

_CHUNK = 128
"""Resamples taken at once, which bounds memory."""


@dataclass(frozen=True, slots=True)
class CleanCalls:
    """Risk of every segment of clean calls, highest first.

    Attributes:
        risk: [segments].
        calls: Each segment's call [segments].
        minutes: How long each call is [calls].
    """

    risk: Vector
    calls: Indices
    minutes: Vector

    @classmethod
    def of(cls, risk: Vector, calls: Indices, minutes: Vector) -> "CleanCalls":
        """From segments in any order."""
        order = np.argsort(-risk, kind="stable")
        return cls(risk[order], calls[order], minutes)

    def threshold(self, minutes: float = MINUTES_PER_ALERT) -> float:
        """The risk above which there is at most one alert in so many minutes."""
        allowed = min(len(self.risk) - 1, int(self.minutes.sum() / minutes))
        return float(self.risk[allowed])

    def thresholds(self, draws: Matrix, minutes: float = MINUTES_PER_ALERT) -> Vector:
        """The same for each resample [resamples]."""
        found = np.empty(len(draws))
        for begin in range(0, len(draws), _CHUNK):
            part = draws[begin : begin + _CHUNK]
            reached = np.cumsum(part[:, self.calls], axis=1)
            allowed = np.minimum(reached[:, -1] - 1, np.floor(part @ self.minutes / minutes))
            found[begin : begin + _CHUNK] = self.risk[(reached > allowed[:, None]).argmax(axis=1)]
        return found


@dataclass(frozen=True, slots=True)
class Operating:
    """Risk above which there is an alert: over all calls, and for each resample."""

    threshold: float
    draws: Vector

    @classmethod
    def of(cls, clean: CleanCalls, draws: Matrix) -> "Operating":
        """At the budget."""
        return cls(clean.threshold(), clean.thresholds(draws))


def share_above(risk: Vector, at: Operating, calls: Indices, draws: Matrix) -> Statistic:
    """Share of items that raise an alert.

    Args:
        risk: [items].
        at: Where alerts begin.
        calls: Each item's call [items].
        draws: How often each resample drew each call [resamples, calls].
    """
    if not len(risk):
        return Statistic(math.nan, np.full(len(draws), np.nan))
    times = draws[:, calls]
    above = (times * (risk[None, :] > at.draws[:, None])).sum(axis=1)
    return Statistic(float(np.mean(risk > at.threshold)), divided(above, times.sum(axis=1)))


def recall_curve(risk: Vector, clean: CleanCalls, alerts_per_hour: Sequence[float]) -> list[float]:
    """Share of items above the threshold of each budget."""
    return [float(np.mean(risk > clean.threshold(60.0 / rate))) for rate in alerts_per_hour]
