"""What happens when the group shares its partitions out anew."""

import structlog
from aiokafka import ConsumerRebalanceListener, TopicPartition

from service.live.poll import PollProcessor

_log = structlog.get_logger(__name__)


class RebalanceListener(ConsumerRebalanceListener):  # type: ignore[misc]
    """Lets the poll in flight finish before partitions go, and forgets their calls once they have gone.

    Every rebalance revokes all partitions, though most come back: so calls are forgotten on the new assignment.
    """

    def __init__(self, processor: PollProcessor) -> None:
        self._processor = processor

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Called before the group rebalances; the client fetches nothing until the next assignment."""
        await self._processor.settle()
        _log.info("partitions revoked", partitions=_numbers(revoked))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Called with all partitions that are ours from now on."""
        await self._processor.assigned(assigned)
        _log.info("partitions assigned", partitions=_numbers(assigned))


def _numbers(partitions: set[TopicPartition]) -> list[int]:
    return sorted(partition.partition for partition in partitions)
