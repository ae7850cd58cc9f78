"""Shedding: while polls are late, optional expensive signals are left out, so that the others are on time sooner.

Which, and from how late on, is for the settings to say; by default none is. What is left out shows in each assessment,
as a signal that is absent with the reason `shed`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from aiokafka import TopicPartition

from streams.broker import Record


@dataclass(frozen=True, slots=True)
class SheddingPolicy:
    """What is left out, and while what is read is how late.

    Attributes:
        signals: Their names; none: nothing is ever left out.
        from_seconds: Behind from which they are left out.
        until_seconds: Behind below which they are measured again: less, so that it does not go to and fro.
    """

    signals: frozenset[str]
    from_seconds: float
    until_seconds: float


class Shedding:
    """Follows the policy from poll to poll."""

    def __init__(self, policy: SheddingPolicy) -> None:
        self._policy = policy
        self._active = False

    @property
    def active(self) -> bool:
        """Whether signals are being left out."""
        return self._active

    def signals(self, seconds_behind: float) -> frozenset[str]:
        """The signals to leave out of what is assessed next.

        Args:
            seconds_behind: How late that is.
        """
        bound = self._policy.until_seconds if self._active else self._policy.from_seconds
        self._active = bool(self._policy.signals) and seconds_behind >= bound
        return self._policy.signals if self._active else frozenset()


def seconds_behind(records: Sequence[Record], now: float) -> float:
    """How late records are read: the age of the newest of them, in the partition where that is most.

    The newest of a partition, since one record with a wrong time does not make a partition late. Of the latest
    partition, since one that was taken over with a backlog is late while the others are not.

    Args:
        records: In the order of their offsets within each partition.
        now: Seconds since 1970.
    """
    newest = {TopicPartition(record.topic, record.partition): record.timestamp / 1000 for record in records}
    return max((now - written for written in newest.values()), default=0.0)
