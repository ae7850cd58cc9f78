"""How what a poll brings about leaves the service, together with the offsets that say it was read.

Two ways, chosen in the settings: at least once (here) and exactly once (`exactly_once.py`).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import structlog
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from service.live.patience import Patience
from service.metrics import Metrics
from service.settings import KafkaSettings
from streams.offsets import commit
from streams.producing import start_producer, stop_producer
from streams.publishing import Output, send_in_order
from streams.topics import TopicNames

_log = structlog.get_logger(__name__)

Outputs = Mapping[TopicPartition, Sequence[Output]]
"""What was brought about, by the input partition that did; in order within each."""


class Delivery(Protocol):
    """Sends outputs and commits offsets. One poll at a time."""

    async def take_over(self, partitions: Collection[TopicPartition]) -> None:
        """Makes sure that nobody else's outputs of these partitions can come any more, before state is read."""
        ...

    async def release(self, partitions: Collection[TopicPartition]) -> None:
        """Lets partitions go that are not ours any more."""
        ...

    async def publish(self, outputs: Outputs) -> None:
        """Sends outputs; what is published later comes after them.

        Raises:
            PollDropped: waiting for Kafka is over, or the poll must be begun again.
            aiokafka.errors.KafkaError: Kafka refuses for good.
        """
        ...

    async def commit(self, consumer: AIOKafkaConsumer, offsets: Mapping[TopicPartition, int]) -> bool:
        """Commits how far partitions are read, and with it, if it counts only then, what was published.

        Returns:
            Whether the group's offsets are known to be these now.

        Raises:
            PollDropped: as for `publish`.
        """
        ...

    async def close(self) -> None:
        """Closes connections of its own."""
        ...


class AtLeastOnce:
    """Outputs are acknowledged before anything that is published after them, and before offsets are committed.

    What is read again after a failure repeats its outputs under the same ids.
    """

    def __init__(self, kafka: KafkaSettings, names: TopicNames, patience: Patience, metrics: Metrics) -> None:
        self._connection = kafka.connection()
        self._idempotence = kafka.idempotence
        self._commit_seconds = kafka.session_seconds
        self._names = names
        self._patience = patience
        self._metrics = metrics
        self._producer: AIOKafkaProducer | None = None

    async def take_over(self, partitions: Collection[TopicPartition]) -> None:
        """Nothing to do: a replica that comes late repeats ids."""

    async def release(self, partitions: Collection[TopicPartition]) -> None:
        """Nothing to do."""

    async def publish(self, outputs: Outputs) -> None:
        """See `Delivery`: returns once all are acknowledged, however long Kafka is away."""
        left = [output for group in outputs.values() for output in group]

        async def attempt() -> None:
            nonlocal left
            if self._producer is None:
                self._producer = await start_producer(self._connection, idempotence=self._idempotence)
            acknowledged, failure = await send_in_order(self._producer, self._names, left)
            left = left[acknowledged:]
            if failure is not None:
                await self.close()
                raise failure

        if left:
            await self._patience.until_done("publish", attempt)

    async def commit(self, consumer: AIOKafkaConsumer, offsets: Mapping[TopicPartition, int]) -> bool:
        """See `Delivery`. A commit that fails is not tried again: the next one says the same and more."""
        if not offsets:
            return True
        failure = await commit(consumer, dict(offsets), self._commit_seconds)
        if failure is not None:
            self._metrics.commit_failures.inc()
            _log.warning("commit failed", reason=failure, partitions=len(offsets))
        return failure is None

    async def close(self) -> None:
        """Closes the producer."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await stop_producer(producer)
