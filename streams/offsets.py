"""How far partitions are read: committing it explicitly, per partition, and telling how much is left."""

import asyncio
from collections.abc import Iterable
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from streams.broker import Record

COORDINATOR_SECONDS: Final = 15.0
POSITION_SECONDS: Final = 0.2
"""How long to wait for a partition's position: it is unknown for a moment after an assignment."""


def next_offsets(records: Iterable[Record]) -> dict[TopicPartition, int]:
    """For each partition of the records, the offset after its last one: where reading goes on."""
    offsets: dict[TopicPartition, int] = {}
    for record in records:
        offsets[TopicPartition(record.topic, record.partition)] = record.offset + 1
    return offsets


async def commit(
    consumer: AIOKafkaConsumer, offsets: dict[TopicPartition, int], within_seconds: float
) -> str | None:
    """Commits offsets.

    A commit fails when the group has rebalanced meanwhile: then the new owner reads the records again, which
    repeats their outputs under the same ids. Nothing is lost, so that the failure is reported, not raised.
    The client retries for ever while the coordinator cannot be reached, hence the limit.

    Returns:
        The name of what went wrong, or None.
    """
    try:
        async with asyncio.timeout(within_seconds):
            await consumer.commit(offsets)
    except (KafkaError, TimeoutError) as error:
        return type(error).__name__
    return None


async def committed_offsets(
    consumer: AIOKafkaConsumer, partitions: Iterable[TopicPartition]
) -> dict[TopicPartition, int]:
    """Where the consumer's group goes on in each partition, as the coordinator knows it; 0: it has not begun.

    Raises:
        aiokafka.errors.KafkaError: the coordinator refused or did not answer.
        TimeoutError: it did not answer within `COORDINATOR_SECONDS`; the client alone would wait for ever.
    """
    wanted = list(partitions)
    async with asyncio.timeout(COORDINATOR_SECONDS):
        offsets = await asyncio.gather(*map(consumer.committed, wanted))
    return {partition: offset or 0 for partition, offset in zip(wanted, offsets, strict=True)}


async def broker_answers(consumer: AIOKafkaConsumer, within_seconds: float) -> bool:
    """Whether the brokers tell the ends of the consumer's partitions."""
    try:
        async with asyncio.timeout(within_seconds):
            await consumer.end_offsets(list(consumer.assignment()))
    except (KafkaError, TimeoutError):
        return False
    return True


async def partition_lag(
    consumer: AIOKafkaConsumer, partition: TopicPartition, processed: int | None
) -> int | None:
    """Records behind the high-water mark.

    Args:
        consumer: Reads the partition.
        partition: The partition.
        processed: The offset after the last processed record; None: none was processed since the assignment,
            then the consumer's position counts.

    Returns:
        None while it is not known, or when the partition is not the consumer's any more.
    """
    if partition not in consumer.assignment():
        return None
    try:
        async with asyncio.timeout(POSITION_SECONDS):
            position = await consumer.position(partition) if processed is None else processed
        high_water: int | None = consumer.highwater(partition)
    except (KafkaError, TimeoutError, AssertionError):
        return None
    return None if high_water is None else max(0, high_water - position)
