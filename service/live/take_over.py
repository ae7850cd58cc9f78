"""Taking partitions over: nobody else writes for them any more, their offsets are read, their calls restored."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import Executor

from aiokafka import AIOKafkaConsumer, TopicPartition

from service.live.call_states import CallStates
from service.live.delivery import Delivery
from service.live.patience import Patience
from streams.offsets import committed_offsets
from streams.state_topic import PartitionStates

ReadStates = Callable[[Collection[int]], Awaitable[Mapping[int, PartitionStates]]]
"""Reads partitions of the state topic, by number."""


class TakeOver:
    """Takes partitions over, however long Kafka is away."""

    def __init__(
        self,
        delivery: Delivery,
        read_states: ReadStates,
        states: CallStates,
        patience: Patience,
        thread: Executor,
    ) -> None:
        self._delivery = delivery
        self._read_states = read_states
        self._states = states
        self._patience = patience
        self._thread = thread

    async def take(self, consumer: AIOKafkaConsumer, partitions: Collection[TopicPartition]) -> None:
        """Takes partitions over that are not held.

        The order matters: only once no other replica can commit for a partition, its offset and states are final.

        Raises:
            PollDropped: waiting is over.
            aiokafka.errors.KafkaError: Kafka refuses for good.
        """
        if not partitions:
            return
        await self._delivery.take_over(partitions)
        committed = await self.committed(consumer, partitions)
        numbers = {partition.partition for partition in partitions}
        found = await self._patience.until_done("read_state", lambda: self._read_states(numbers))
        await asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: self._states.restore(committed, found)
        )

    async def committed(
        self, consumer: AIOKafkaConsumer, partitions: Collection[TopicPartition]
    ) -> dict[TopicPartition, int]:
        """Where the group goes on in each of the partitions; 0 where it has not begun.

        Raises:
            PollDropped: waiting is over.
            aiokafka.errors.KafkaError: Kafka refuses for good.
        """
        return await self._patience.until_done("offsets", lambda: committed_offsets(consumer, partitions))
