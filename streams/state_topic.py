"""Reading what the state topic keeps of a partition's calls, before the partition is read."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaTimeoutError

from streams.broker import Record
from streams.call_state import CallStateRecord, decode_call_state
from streams.connection import Connection
from streams.fields import MalformedRecord

STALLED_SECONDS: Final = 20.0
"""Reading is tried anew when nothing has come for so long."""

_POLL_MS: Final = 100
_FETCH_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class WrittenState:
    """The last state of a call.

    Attributes:
        record: The state.
        written_at: Seconds since 1970.
    """

    record: CallStateRecord
    written_at: float


@dataclass(slots=True)
class PartitionStates:
    """What a partition of the state topic holds.

    Attributes:
        states: Of each call that has no tombstone.
        unreadable: Calls whose last record is no state.
        first_offset: Before it everything is deleted; compaction alone leaves it at 0.
        end_offset: Where the next record will be.
    """

    states: dict[str, WrittenState] = field(default_factory=dict)
    unreadable: int = 0
    first_offset: int = 0
    end_offset: int = 0


async def read_states(
    connection: Connection, topic: str, partitions: Iterable[int]
) -> dict[int, PartitionStates]:
    """Reads partitions of the state topic to their present end; of transactions only what is committed.

    Raises:
        aiokafka.errors.KafkaError: the broker refused, did not answer, or has no such partition.
    """
    wanted = {TopicPartition(topic, number): PartitionStates() for number in partitions}
    if not wanted:
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
        consumer.assign(list(wanted))
        await _bounds(consumer, wanted)
        await _read_to_the_end(consumer, wanted)
    finally:
        await consumer.stop()
    return {partition.partition: states for partition, states in wanted.items()}


async def _bounds(consumer: AIOKafkaConsumer, wanted: dict[TopicPartition, PartitionStates]) -> None:
    first, end = await asyncio.gather(
        consumer.beginning_offsets(list(wanted)), consumer.end_offsets(list(wanted))
    )
    for partition, states in wanted.items():
        states.first_offset, states.end_offset = first[partition], end[partition]


async def _read_to_the_end(consumer: AIOKafkaConsumer, wanted: dict[TopicPartition, PartitionStates]) -> None:
    values: dict[TopicPartition, dict[bytes, tuple[bytes, int]]] = {partition: {} for partition in wanted}
    left = {partition for partition, states in wanted.items() if states.first_offset < states.end_offset}
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(STALLED_SECONDS) as patience:
            while left:
                # Without a record the position moves on too: over what a transaction or the compaction left behind.
                for partition, records in (await consumer.getmany(*left, timeout_ms=_POLL_MS)).items():
                    patience.reschedule(loop.time() + STALLED_SECONDS)
                    for record in records:
                        _keep_last(values[partition], record)
                left = {one for one in left if await consumer.position(one) < wanted[one].end_offset}
    except TimeoutError:
        raise KafkaTimeoutError from None
    for partition, last in values.items():
        _decode(last.values(), wanted[partition])


def _keep_last(values: dict[bytes, tuple[bytes, int]], record: Record) -> None:
    if record.key is None:
        return
    if record.value is None:
        values.pop(record.key, None)
    else:
        values[record.key] = (record.value, record.timestamp)


def _decode(values: Iterable[tuple[bytes, int]], into: PartitionStates) -> None:
    for value, timestamp_ms in values:
        try:
            record = decode_call_state(value)
        except MalformedRecord:
            into.unreadable += 1
        else:
            into.states[record.call_id] = WrittenState(record, timestamp_ms / 1000)
