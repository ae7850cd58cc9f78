"""Calls' states, written after each poll and taken in again where their partition goes."""

from collections.abc import Mapping
from typing import Final

import structlog
from aiokafka import TopicPartition

from service.clock import Clock
from service.live.ownership import Ownership
from service.metrics import Metrics
from service.observation import MovableCalls, StateUnreadable
from streams.call_state import CallStateRecord
from streams.publishing import Output, state_output, state_tombstone
from streams.state_topic import PartitionStates, WrittenState

_log = structlog.get_logger(__name__)

LARGEST_STATE_BYTES: Final = 900_000
"""A broker refuses records of more than about 1 MiB."""

Place = tuple[TopicPartition, int]
"""Where a call was heard last: the partition and the record's offset."""


class CallStates:
    """Between the monitor's calls and the state topic. Its methods run in the monitor's thread."""

    def __init__(self, calls: MovableCalls, ownership: Ownership, metrics: Metrics, clock: Clock) -> None:
        self._calls = calls
        self._ownership = ownership
        self._metrics = metrics
        self._clock = clock

    def written(self, heard: Mapping[str, Place]) -> dict[TopicPartition, list[Output]]:
        """The states to write after calls were heard, by input partition; notes what is open and what has ended.

        An ended call keeps a mark until the group has read past it: were it gone at once, what is read again after a
        crash would begin the call anew.
        """
        outputs: dict[TopicPartition, list[Output]] = {}
        snapshots = self._calls.snapshots(heard)
        for call_id, (partition, offset) in heard.items():
            payload = snapshots.get(call_id)
            note = self._ownership.ended if payload is None else self._ownership.heard
            note(partition, call_id, offset)
            record = CallStateRecord(
                call_id=call_id,
                topic=partition.topic,
                offset=offset,
                read_from=self._ownership.committed(partition),
                ended=payload is None,
                payload=payload or {},
            )
            outputs.setdefault(partition, []).append(self._encoded(record, partition.partition))
        return outputs

    def tombstones(self) -> dict[TopicPartition, list[Output]]:
        """For ended calls that the group has read past."""
        return {
            partition: [state_tombstone(call_id, partition.partition) for call_id in call_ids]
            for partition, call_ids in self._ownership.over().items()
        }

    def restore(self, committed: Mapping[TopicPartition, int], found: Mapping[int, PartitionStates]) -> None:
        """Takes partitions over with the calls that their states hold.

        Args:
            committed: For each partition where the group goes on.
            found: What the state topic holds, by partition number.
        """
        for partition, offset in committed.items():
            states = found[partition.partition]
            self._ownership.take(partition, offset)
            self._note_loss(partition, offset, states)
            for state in states.states.values():
                if state.record.topic == partition.topic:
                    self._restore_call(partition, offset, state)

    def _restore_call(self, partition: TopicPartition, committed: int, state: WrittenState) -> None:
        record = state.record
        if committed < record.read_from:
            self._unusable("set_back")  # somebody has set the group back, to have everything assessed anew
        elif record.ended:
            self._ownership.ended(partition, record.call_id, record.offset)
        else:
            silent = max(0.0, self._clock.wall() - state.written_at)
            try:
                self._calls.restore(record.call_id, record.payload, self._clock.monotonic() - silent)
            except StateUnreadable:
                self._unusable("unreadable")
            else:
                self._ownership.heard(partition, record.call_id, record.offset)
                self._metrics.states_restored.inc()

    def _note_loss(self, partition: TopicPartition, committed: int, states: PartitionStates) -> None:
        for _ in range(states.unreadable):
            self._unusable("unreadable")
        if committed and (states.first_offset or not states.end_offset):
            self._metrics.states_lost.inc()
            _log.warning(
                "states of calls are lost: calls that are open begin anew",
                topic=partition.topic,
                partition=partition.partition,
            )

    def _unusable(self, reason: str) -> None:
        self._metrics.states_unusable.labels(reason).inc()
        _log.warning("state of a call not used", reason=reason)

    def _encoded(self, record: CallStateRecord, partition: int) -> Output:
        output = state_output(record, partition, LARGEST_STATE_BYTES)
        if output.value is None:
            self._unusable("too_large")
        else:
            self._metrics.state_bytes.observe(len(output.value))
        return output
