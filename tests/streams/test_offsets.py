"""Committing and lag: per partition, and no failure of the client gets through."""

import asyncio
from typing import Any

import pytest
from aiokafka import ConsumerRecord, TopicPartition
from aiokafka.errors import CommitFailedError, IllegalStateError

from streams.offsets import commit, next_offsets, partition_lag

ONE, TWO = TopicPartition("t", 1), TopicPartition("t", 2)


def record(partition: int, offset: int) -> "ConsumerRecord[bytes, bytes]":
    return ConsumerRecord("t", partition, offset, 0, 0, b"k", b"v", None, 1, 1, ())


class Consumer:
    """As much of a consumer as is asked here."""

    def __init__(self, failure: Exception | None = None, high_water: int | None = None) -> None:
        self.failure = failure
        self.high_water = high_water
        self.committed: dict[TopicPartition, int] = {}

    async def commit(self, offsets: dict[TopicPartition, int]) -> None:
        if self.failure is not None:
            raise self.failure
        self.committed = offsets

    def assignment(self) -> set[TopicPartition]:
        return {ONE}

    async def position(self, _partition: TopicPartition) -> int:
        return 4

    def highwater(self, _partition: TopicPartition) -> int | None:
        return self.high_water


class HangingConsumer(Consumer):
    """Its coordinator cannot be reached."""

    async def commit(self, offsets: dict[TopicPartition, int]) -> None:
        await asyncio.Event().wait()


def test_reading_goes_on_after_the_last_record_of_each_partition() -> None:
    assert next_offsets([record(1, 5), record(2, 9), record(1, 6)]) == {ONE: 7, TWO: 10}


async def test_offsets_are_committed() -> None:
    consumer: Any = Consumer()
    assert await commit(consumer, {ONE: 7}, 1.0) is None
    assert consumer.committed == {ONE: 7}


@pytest.mark.parametrize("failure", [CommitFailedError("rebalanced"), IllegalStateError("not assigned")])
async def test_a_failure_is_told_not_raised(failure: Exception) -> None:
    consumer: Any = Consumer(failure)
    assert await commit(consumer, {ONE: 7}, 1.0) == type(failure).__name__


async def test_a_commit_that_hangs_is_given_up() -> None:
    consumer: Any = HangingConsumer()
    assert await commit(consumer, {ONE: 7}, 0.01) == "TimeoutError"


async def test_lag_is_what_lies_between_the_high_water_mark_and_what_was_processed() -> None:
    consumer: Any = Consumer(high_water=10)
    assert await partition_lag(consumer, ONE, 7) == 3
    assert await partition_lag(consumer, ONE, None) == 6
    assert await partition_lag(consumer, ONE, 11) == 0


async def test_lag_is_unknown_before_the_first_answer_and_after_the_partition_is_gone() -> None:
    consumer: Any = Consumer()
    assert await partition_lag(consumer, ONE, 7) is None
    assert await partition_lag(consumer, TWO, 7) is None
