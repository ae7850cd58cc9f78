"""The partitions that this replica reads: how far each is read, and which calls came from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from aiokafka import TopicPartition

from streams.broker import Record


@dataclass(slots=True)
class _Progress:
    """How far a partition is read.

    Attributes:
        next_offset: Where processing goes on; records before it were processed.
        committed: Where the group would go on.
        calls: The open calls, each with the last record that was taken into it.
        ended: Calls that are summarised, each with its last record, until the group has read past that.
    """

    next_offset: int
    committed: int
    calls: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)


class Ownership:
    """The partitions that are ours now. What is noted of any other is dropped."""

    def __init__(self) -> None:
        self._progress: dict[TopicPartition, _Progress] = {}

    @property
    def partitions(self) -> frozenset[TopicPartition]:
        """The partitions that are read now."""
        return frozenset(self._progress)

    @property
    def next_offsets(self) -> Mapping[TopicPartition, int]:
        """For each partition where processing goes on."""
        return {partition: progress.next_offset for partition, progress in self._progress.items()}

    def take(self, partition: TopicPartition, committed: int) -> None:
        """Takes a partition over where the group left it, with no calls yet."""
        self._progress[partition] = _Progress(committed, committed)

    def release(self, partitions: Iterable[TopicPartition]) -> list[str]:
        """Lets partitions go; returns their calls, ended ones too, all to be forgotten."""
        gone = [self._progress.pop(partition) for partition in partitions if partition in self._progress]
        return [call_id for progress in gone for call_id in {**progress.calls, **progress.ended}]

    def overtaken(self, committed: Mapping[TopicPartition, int]) -> set[TopicPartition]:
        """Which partitions the group has read further than we have, or from further back: another replica had them."""
        return {
            partition
            for partition, offset in committed.items()
            if partition in self._progress
            and not self._progress[partition].committed <= offset <= self._progress[partition].next_offset
        }

    def unread(self, records: Sequence[Record]) -> list[Record]:
        """Those of the records that are of our partitions and that we have not processed.

        A poll may have been fetched before its partitions moved, and a partition is read from its committed offset
        again, though more of it was processed, when a commit failed.
        """
        return [
            record
            for record in records
            if (progress := self._progress.get(TopicPartition(record.topic, record.partition))) is not None
            and record.offset >= progress.next_offset
        ]

    def includes(self, partition: TopicPartition, call_id: str, offset: int) -> bool:
        """Whether a record is in a call's state already, which may be ahead of the group's offset."""
        progress = self._progress[partition]
        last = max(progress.calls.get(call_id, -1), progress.ended.get(call_id, -1))
        return offset <= last

    def heard(self, partition: TopicPartition, call_id: str, offset: int) -> None:
        """Notes that an open call includes a record of a partition."""
        if partition in self._progress:
            self._progress[partition].calls[call_id] = offset

    def ended(self, partition: TopicPartition, call_id: str, offset: int) -> None:
        """Notes that a call is summarised, its last record being this."""
        if partition in self._progress:
            self._progress[partition].calls.pop(call_id, None)
            self._progress[partition].ended[call_id] = offset

    def home(self, call_id: str) -> tuple[TopicPartition, int] | None:
        """The partition of an open call, and the last record that was taken into it."""
        for partition, progress in self._progress.items():
            if call_id in progress.calls:
                return partition, progress.calls[call_id]
        return None

    def committed(self, partition: TopicPartition) -> int:
        """Where the group would go on in one of our partitions."""
        return self._progress[partition].committed

    def processed(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Notes where processing goes on."""
        for partition, offset in offsets.items():
            if partition in self._progress:
                self._progress[partition].next_offset = offset

    def commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Notes how far the group has read."""
        for partition, offset in offsets.items():
            if partition in self._progress:
                self._progress[partition].committed = offset

    def over(self) -> dict[TopicPartition, list[str]]:
        """Ended calls that the group has read past: nothing of them is needed any more. Gives each once."""
        over: dict[TopicPartition, list[str]] = {}
        for partition, progress in self._progress.items():
            past = [call_id for call_id, offset in progress.ended.items() if offset < progress.committed]
            for call_id in past:
                del progress.ended[call_id]
            if past:
                over[partition] = [call_id for call_id in past if call_id not in progress.calls]
        return {partition: calls for partition, calls in over.items() if calls}
