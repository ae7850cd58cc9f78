"""What happens when the group shares its partitions out anew."""

from collections.abc import Callable

import structlog
from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition

from service.live.poll import PollProcessor

_log = structlog.get_logger(__name__)


class RebalanceListener(ConsumerRebalanceListener):  # type: ignore[misc]
    """Lets the poll in flight finish before partitions go, and takes over those that have come.

    Every rebalance revokes all partitions, though most come back: so calls are forgotten on the new assignment. The
    client swallows what a listener raises and reads on, hence `fail`.
    """

    def __init__(
        self,
        processor: PollProcessor,
        consumer: Callable[[], AIOKafkaConsumer],
        fail: Callable[[str, BaseException], None],
    ) -> None:
        self._processor = processor
        self._consumer = consumer
        self._fail = fail

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Called before the group rebalances; the client fetches nothing until the next assignment."""
        await self._processor.settle()
        _log.info("partitions revoked", partitions=_numbers(revoked))

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Called with all partitions that are ours from now on."""
        try:
            await self._processor.assigned(self._consumer(), assigned)
        except Exception as error:  # noqa: BLE001 - whatever it is, the partitions cannot be read
            self._fail("partitions could not be taken over", error)
            return
        _log.info("partitions assigned", partitions=_numbers(assigned))


def _numbers(partitions: set[TopicPartition]) -> list[int]:
    return sorted(partition.partition for partition in partitions)
