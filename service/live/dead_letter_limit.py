"""Stops the service when too many records cannot be read, before a bad release drains a topic."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from service.errors import AuscultError

LEAST_RECORDS: Final = 50
"""Fewer say nothing about a share."""


class TooManyDeadLetters(AuscultError):
    """More of what is read is refused than the settings allow."""


@dataclass(frozen=True, slots=True)
class DeadLetterRate:
    """How much may be refused.

    Attributes:
        share: Of the records of the window, 0..1; 1: any number.
        window: Records looked back on.
    """

    share: float
    window: int


class DeadLetterLimit:
    """Counts the last records, read and refused."""

    def __init__(self, rate: DeadLetterRate) -> None:
        self._rate = rate
        self._refused: deque[bool] = deque(maxlen=rate.window)

    def note(self, read: int, refused: int) -> None:
        """Counts the records of a poll.

        Raises:
            TooManyDeadLetters: the share of refused ones is above the limit.
        """
        self._refused.extend([False] * (read - refused) + [True] * refused)
        counted, bad = len(self._refused), sum(self._refused)
        if counted >= min(LEAST_RECORDS, self._rate.window) and bad > counted * self._rate.share:
            raise TooManyDeadLetters(
                f"{bad} of the last {counted} records could not be read, more than "
                f"kafka.dead_letters.share = {self._rate.share:g} allows; see auscult dead-letters list"
            )
