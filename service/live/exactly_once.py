"""Exactly once: outputs, state and offsets of a partition in one transaction, seen together or not at all."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

import structlog
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import IllegalOperation, KafkaError

from service.live.delivery import Outputs
from service.live.patience import Patience, PollDropped
from service.metrics import Metrics
from streams.connection import Connection
from streams.producing import start_transactional, stop_producer
from streams.publishing import send_in_order
from streams.topics import TopicNames

_log = structlog.get_logger(__name__)

START_SECONDS: Final = 30.0
TRANSACTION_STEP_SECONDS: Final = 20.0
"""Kafka's answer to one step of a transaction is waited for this long; then the transaction is given up."""


class ExactlyOnce:
    """One transactional producer for each partition that is ours.

    A transaction that fails is given up with its producer, and the poll with it: the partition is taken over anew,
    as from another replica, since only the committed offset tells what became of it.
    """

    def __init__(
        self, connection: Connection, names: TopicNames, group: str, patience: Patience, metrics: Metrics
    ) -> None:
        self._connection = connection
        self._names = names
        self._group = group
        self._patience = patience
        self._metrics = metrics
        self._producers: dict[TopicPartition, AIOKafkaProducer] = {}
        self._open: set[TopicPartition] = set()

    async def take_over(self, partitions: Collection[TopicPartition]) -> None:
        """See `Delivery`: starts a producer for each, which ends whatever an earlier one had begun."""
        await self.release(partitions)
        await asyncio.gather(*(self._start(partition) for partition in partitions))

    async def release(self, partitions: Collection[TopicPartition]) -> None:
        """See `Delivery`: a transaction that is still open is left to the next owner, who ends it."""
        gone = [self._producers.pop(partition) for partition in partitions if partition in self._producers]
        self._open.difference_update(partitions)
        await asyncio.gather(*(stop_producer(producer) for producer in gone))

    async def publish(self, outputs: Outputs) -> None:
        """See `Delivery`: readers see nothing of it before `commit`."""
        await self._together(
            [partition for partition, group in outputs.items() if group],
            lambda partition: self._send(partition, outputs),
        )

    async def commit(self, consumer: AIOKafkaConsumer, offsets: Mapping[TopicPartition, int]) -> bool:  # noqa: ARG002
        """See `Delivery`: what was published and the offsets become visible at once, partition by partition."""
        await self._together(
            self._open | set(offsets), lambda partition: self._finish(partition, offsets.get(partition))
        )
        return True

    async def close(self) -> None:
        """Closes every producer; open transactions are given up."""
        await self.release(list(self._producers))

    async def _start(self, partition: TopicPartition) -> None:
        async def attempt() -> AIOKafkaProducer:
            async with asyncio.timeout(START_SECONDS):
                return await start_transactional(self._connection, self._group, partition)

        self._producers[partition] = await self._patience.until_done("take_over", attempt)

    async def _send(self, partition: TopicPartition, outputs: Outputs) -> None:
        producer = await self._begun(partition)
        _, failure = await send_in_order(producer, self._names, outputs[partition])
        if failure is not None:
            raise failure

    async def _finish(self, partition: TopicPartition, offset: int | None) -> None:
        producer = await self._begun(partition)
        if offset is not None:
            await producer.send_offsets_to_transaction({partition: offset}, self._group)
        await producer.commit_transaction()
        self._open.discard(partition)

    async def _begun(self, partition: TopicPartition) -> AIOKafkaProducer:
        producer = self._producers[partition]
        if partition not in self._open:
            await producer.begin_transaction()
            self._open.add(partition)
        return producer

    async def _together(
        self, partitions: Collection[TopicPartition], step: Callable[[TopicPartition], Awaitable[None]]
    ) -> None:
        """One step of the transactions of several partitions, side by side."""

        async def limited(partition: TopicPartition) -> None:
            async with asyncio.timeout(TRANSACTION_STEP_SECONDS):
                await step(partition)

        outcomes = await asyncio.gather(*map(limited, partitions), return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        for failure in failures:
            if not isinstance(failure, KafkaError | IllegalOperation | TimeoutError):
                raise failure
        if failures:
            self._metrics.kafka_retries.labels("transaction").inc()
            _log.warning("transaction given up", reason=type(failures[0]).__name__, partitions=len(failures))
            raise PollDropped
