"""How long to wait before the next try: longer each time, and never together with everybody else."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with full jitter: each wait is drawn between 0 and a bound that doubles.

    Attributes:
        first_seconds: Bound of the first wait.
        longest_seconds: Bound that no wait exceeds.
        draw: A number in [0, 1).
    """

    first_seconds: float = 0.1
    longest_seconds: float = 10.0
    draw: Callable[[], float] = random.random

    def waits(self) -> Iterator[float]:
        """The waits before each further try, in seconds; without end."""
        bound = self.first_seconds
        while True:
            yield bound * self.draw()
            bound = min(bound * 2, self.longest_seconds)
