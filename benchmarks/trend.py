"""Whether a measure grows: the straight line through its samples."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

HOUR_SECONDS: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Trend:
    """The least-squares line through samples.

    Attributes:
        per_hour: Its slope, in units of the measure an hour.
        standard_error: Of the slope, as if the samples' deviations from the line were independent.
        first: The first sample.
        last: The last sample.
    """

    per_hour: float
    standard_error: float
    first: float
    last: float


def trend(seconds: Sequence[float], values: Sequence[float]) -> Trend:
    """The line through values at times, in seconds from any moment.

    Raises:
        ValueError: there are fewer than three samples, not as many times as values, or all at one time.
    """
    count = len(values)
    if count < 3:
        raise ValueError("a trend with its error takes at least three samples")
    mean_time, mean = math.fsum(seconds) / count, math.fsum(values) / count
    pairs = [(at - mean_time, value - mean) for at, value in zip(seconds, values, strict=True)]
    spread = math.fsum(at * at for at, _ in pairs)
    if not spread:
        raise ValueError("a trend takes samples at different times")
    slope = math.fsum(at * value for at, value in pairs) / spread
    residual = math.fsum((value - slope * at) ** 2 for at, value in pairs)
    error = math.sqrt(residual / (count - 2) / spread)
    return Trend(HOUR_SECONDS * slope, HOUR_SECONDS * error, values[0], values[-1])
