"""Reading what the state topic keeps of a partition's calls, before the partition is read."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from aiokafka import TopicPartition

from streams.broker import Record
from streams.call_state import CallStateRecord, decode_call_state
from streams.connection import Connection
from streams.fields import MalformedRecord
from streams.whole_topic import read_to_the_end


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
    wanted = [TopicPartition(topic, number) for number in partitions]
    last: dict[int, dict[bytes, Record]] = {partition.partition: {} for partition in wanted}

    def keep(record: Record) -> None:
        if record.value is None:
            last[record.partition].pop(record.key, None)
        elif record.key is not None:
            last[record.partition][record.key] = record

    extents = await read_to_the_end(connection, wanted, keep)
    return {
        partition.partition: _decoded(last[partition.partition].values(), extent.first, extent.end)
        for partition, extent in extents.items()
    }


def _decoded(records: Iterable[Record], first: int, end: int) -> PartitionStates:
    found = PartitionStates(first_offset=first, end_offset=end)
    for record in records:
        try:
            state = decode_call_state(record.value)
        except MalformedRecord:
            found.unreadable += 1
        else:
            found.states[state.call_id] = WrittenState(state, record.timestamp / 1000)
    return found
