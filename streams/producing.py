"""Producers: one for all outputs, or for transactions one for each input partition.

The client does not fence by group generation: a transactional id of each partition's own does it instead.
"""

import asyncio
from contextlib import suppress
from typing import Any, Final

from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError

from streams.broker import MAX_REQUEST_BYTES, PRODUCER_BATCH_BYTES
from streams.connection import Connection

STOP_SECONDS: Final = 2.0
TRANSACTION_BACKOFF_MS: Final = 10
"""The coordinator puts a transaction off that begins while the one before is still being marked; briefly, each time."""

TRANSACTION_SECONDS: Final = 60
"""A transaction that is open for longer is aborted by the broker."""


def transactional_id(group: str, partition: TopicPartition) -> str:
    """The same for whoever reads a partition for a group, so that the newest reader fences the one before it."""
    return f"{group}:{partition.topic}:{partition.partition}"


async def start_transactional(
    connection: Connection, group: str, partition: TopicPartition
) -> AIOKafkaProducer:
    """Starts the producer of a partition's outputs.

    Once it is started, no earlier producer of the partition can commit anything any more, and a transaction that one
    had left open is over: what is then read of state and offsets is final.

    Raises:
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    return await _started(
        connection,
        transactional_id=transactional_id(group, partition),
        transaction_timeout_ms=TRANSACTION_SECONDS * 1000,
        retry_backoff_ms=TRANSACTION_BACKOFF_MS,
    )


async def start_producer(connection: Connection, *, idempotence: bool) -> AIOKafkaProducer:
    """Starts a producer without transactions.

    After a record has failed it is of no more use with idempotence: the client leaves a gap in the record numbers, and
    the broker refuses what comes after.

    Args:
        connection: To the broker.
        idempotence: Whether the broker drops what the client's own retries repeat; not every broker that speaks
            Kafka's protocol can.

    Raises:
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    return await _started(connection, enable_idempotence=idempotence)


async def _started(connection: Connection, **options: Any) -> AIOKafkaProducer:
    producer = AIOKafkaProducer(
        **connection.client_options(),
        **options,
        acks="all",
        max_request_size=MAX_REQUEST_BYTES,
        max_batch_size=PRODUCER_BATCH_BYTES,
    )
    try:
        await producer.start()
    except BaseException:
        await stop_producer(producer)
        raise
    return producer


async def stop_producer(producer: AIOKafkaProducer) -> None:
    """Closes a producer, whatever state it is in; what it has not sent is dropped."""
    with suppress(KafkaError, TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            await producer.stop()
