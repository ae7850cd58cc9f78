"""Time, passed to whatever needs it, so that nothing deep inside reads a clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """Two clocks.

    Attributes:
        monotonic: Seconds that only move forward, for how long something took or is silent.
        wall: Seconds since 1970, for what other machines wrote a time on.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
