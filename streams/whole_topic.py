"""Reading partitions from their first record to their present end."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaTimeoutError, for_code

from streams.broker import Record
from streams.connection import Connection

STALLED_SECONDS: Final = 20.0
"""Reading is given up when nothing has come for so long."""

_POLL_MS: Final = 100
_FETCH_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Extent:
    """The offsets of a partition: its first record's, and the one that the next record will have."""

    first: int
    end: int


async def partitions_of(connection: Connection, topic: str) -> list[TopicPartition]:
    """All partitions of a topic.

    Raises:
        aiokafka.errors.KafkaError: the broker refused, did not answer, or has no such topic.
    """
    admin = AIOKafkaAdminClient(**connection.client_options())
    try:
        await admin.start()
        (described,) = await admin.describe_topics([topic])
    finally:
        await admin.close()
    if described["error_code"]:
        raise for_code(described["error_code"])(topic)
    return [TopicPartition(topic, each["partition"]) for each in described["partitions"]]


async def read_to_the_end(
    connection: Connection, partitions: Collection[TopicPartition], take: Callable[[Record], None]
) -> dict[TopicPartition, Extent]:
    """Reads all that partitions hold now; of transactions only what is committed.

    Args:
        connection: To the broker.
        partitions: What to read.
        take: Given each record, in order within its partition.

    Returns:
        From where to where each was read.

    Raises:
        aiokafka.errors.KafkaError: the broker refused, did not answer, or has no such partition.
    """
    if not partitions:
        return {}
    consumer = AIOKafkaConsumer(
        **connection.client_options(),
        isolation_level="read_committed",
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        max_partition_fetch_bytes=_FETCH_BYTES,
    )
    try:
        await consumer.start()
        consumer.assign(list(partitions))
        first, end = await asyncio.gather(
            consumer.beginning_offsets(list(partitions)), consumer.end_offsets(list(partitions))
        )
        extents = {partition: Extent(first[partition], end[partition]) for partition in partitions}
        await _read(consumer, extents, take)
    except TimeoutError:
        raise KafkaTimeoutError from None
    finally:
        await consumer.stop()
    return extents


async def _read(
    consumer: AIOKafkaConsumer, extents: dict[TopicPartition, Extent], take: Callable[[Record], None]
) -> None:
    left = {partition for partition, extent in extents.items() if extent.first < extent.end}
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(STALLED_SECONDS) as patience:
        while left:
            # Without a record the position moves on too: over what a transaction or the compaction left behind.
            for partition, records in (await consumer.getmany(*left, timeout_ms=_POLL_MS)).items():
                patience.reschedule(loop.time() + STALLED_SECONDS)
                for record in records:
                    if record.offset < extents[partition].end:
                        take(record)
            left = {one for one in left if await consumer.position(one) < extents[one].end}
