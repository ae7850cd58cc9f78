"""Which calls came from which partition, so that they can be forgotten when their partition moves on."""

from collections.abc import Iterable, Mapping

from aiokafka import TopicPartition


class Ownership:
    """The partitions that this replica reads, how far, and the open calls of each."""

    def __init__(self) -> None:
        self._calls: dict[TopicPartition, set[str]] = {}
        self._next: dict[TopicPartition, int] = {}
        self._resumed: set[TopicPartition] = set()

    @property
    def partitions(self) -> frozenset[TopicPartition]:
        """The partitions that are read now."""
        return frozenset(self._calls)

    @property
    def next_offsets(self) -> Mapping[TopicPartition, int]:
        """For each partition of which something was processed: where processing goes on."""
        return self._next

    def assigned(self, partitions: Iterable[TopicPartition]) -> tuple[set[TopicPartition], list[str]]:
        """Takes over exactly these partitions.

        Returns:
            The partitions that are gone, and the calls to forget.
        """
        now = set(partitions)
        gone = set(self._calls) - now
        forgotten = [call_id for partition in gone for call_id in self._drop(partition)]
        self._resumed = now & set(self._next)
        for partition in now:
            self._calls.setdefault(partition, set())
        return gone, forgotten

    def resumes(self, partition: TopicPartition, offset: int) -> list[str]:
        """Says where reading a partition goes on; call it with the first offset of each poll.

        Returns:
            The calls to forget: when a partition came back further on than it was left, another replica has
            processed what lies between, and what is remembered of its calls is no longer all that was said.
        """
        if partition not in self._resumed:
            return []
        self._resumed.discard(partition)
        if offset <= self._next[partition]:
            return []
        calls = list(self._calls[partition])
        self._calls[partition].clear()
        return calls

    def heard(self, partition: TopicPartition, call_id: str) -> None:
        """Notes that a call is in a partition."""
        self._calls.setdefault(partition, set()).add(call_id)

    def processed(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Notes where processing goes on, in partitions that are still ours."""
        self._next.update({key: offset for key, offset in offsets.items() if key in self._calls})

    def ended(self, call_ids: Iterable[str]) -> None:
        """Notes that calls are over."""
        over = set(call_ids)
        if over:
            for calls in self._calls.values():
                calls -= over

    def _drop(self, partition: TopicPartition) -> set[str]:
        self._next.pop(partition, None)
        return self._calls.pop(partition)
