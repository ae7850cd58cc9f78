"""Percentiles of measured times."""

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed (nearest rank).

    Args:
        values: At least one, in any order.
        share: Above 0 and at most 1: 0.99 for the 99th percentile.

    Raises:
        ValueError: there are no values, or the share is out of range.
    """
    if not values:
        raise ValueError("there is nothing to take a percentile of")
    if not 0.0 < share <= 1.0:
        raise ValueError("a share must be above 0 and at most 1")
    return sorted(values)[math.ceil(share * len(values)) - 1]
