"""How far a probability can be taken at its word: reliability curve, calibration error, Brier score."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from service.evaluation.resampling import Vector

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Items of about the same predicted probability.

    Attributes:
        predicted: Their mean prediction.
        observed: Share that came true.
        items: How many they are.
    """

    predicted: float
    observed: float
    items: int


def equal_mass_bins(predicted: Vector, outcomes: Vector, bins: int = BINS) -> list[Bin]:
    """Bins of as equal a number of items as can be, by rising prediction.

    Args:
        predicted: Probabilities [items].
        outcomes: 1 or 0, or between for how likely it came true [items].
        bins: How many; fewer where there are fewer items.
    """
    order = np.argsort(predicted, kind="stable")
    parts = [part for part in np.array_split(order, bins) if part.size]
    return [
        Bin(float(predicted[part].mean()), float(outcomes[part].mean()), int(part.size)) for part in parts
    ]


def calibration_error(bins: list[Bin]) -> float:
    """Expected calibration error: mean distance of predicted and observed, weighted by the bins' items."""
    items = sum(one.items for one in bins)
    return sum(one.items * abs(one.predicted - one.observed) for one in bins) / items


def brier_score(predicted: Vector, outcomes: Vector) -> float:
    """Mean squared distance of prediction and outcome."""
    return float(np.mean((predicted - outcomes) ** 2))


def reliability(predicted: Vector, outcomes: Vector) -> dict[str, Any]:
    """Curve, calibration error, Brier score, and its skill against always predicting the base rate."""
    bins = equal_mass_bins(predicted, outcomes)
    brier = brier_score(predicted, outcomes)
    base = brier_score(np.full_like(outcomes, outcomes.mean()), outcomes)
    return {
        "items": len(predicted),
        "base_rate": float(outcomes.mean()),
        "calibration_error": calibration_error(bins),
        "brier": brier,
        "brier_skill": 1.0 - brier / base if base else 0.0,
        "bins": [asdict(one) for one in bins],
    }
