"""Which records are still to be processed, and which calls are remembered, when partitions come and go."""

import pytest
from aiokafka import ConsumerRecord, TopicPartition

from service.live.ownership import Ownership
from streams.broker import Record

ONE, TWO = TopicPartition("t", 1), TopicPartition("t", 2)


def record(partition: TopicPartition, offset: int) -> Record:
    return ConsumerRecord(partition.topic, partition.partition, offset, 0, 0, b"a", b"", None, 0, 0, ())


@pytest.fixture
def ownership() -> Ownership:
    """Of two partitions, processed and committed up to offsets 10 and 20, with a call in each."""
    ownership = Ownership()
    ownership.take(ONE, 5)
    ownership.take(TWO, 15)
    ownership.heard(ONE, "a", 9)
    ownership.heard(TWO, "b", 18)
    ownership.processed({ONE: 10, TWO: 20})
    ownership.commit({ONE: 10, TWO: 20})
    return ownership


def test_the_calls_of_a_partition_that_is_gone_are_to_be_forgotten(ownership: Ownership) -> None:
    assert ownership.release({ONE}) == ["a"]
    assert ownership.partitions == {TWO}
    assert ownership.next_offsets == {TWO: 20}
    assert ownership.release({ONE}) == []


def test_what_is_remembered_of_an_ended_call_is_to_be_forgotten_too(ownership: Ownership) -> None:
    ownership.ended(ONE, "a", 9)
    ownership.heard(ONE, "c", 9)
    assert sorted(ownership.release({ONE})) == ["a", "c"]


def test_records_that_were_processed_are_not_processed_again(ownership: Ownership) -> None:
    records = [record(ONE, offset) for offset in range(8, 13)]
    assert [each.offset for each in ownership.unread(records)] == [10, 11, 12]


def test_records_of_a_partition_that_is_not_ours_are_left_to_its_owner(ownership: Ownership) -> None:
    ownership.release({ONE})
    assert [each.partition for each in ownership.unread([record(ONE, 10), record(TWO, 20)])] == [2]


def test_nothing_is_noted_of_a_partition_that_is_not_ours(ownership: Ownership) -> None:
    ownership.release({ONE})
    ownership.heard(ONE, "late", 11)
    ownership.ended(ONE, "later", 12)
    ownership.processed({ONE: 13})
    ownership.commit({ONE: 13})
    assert ownership.partitions == {TWO}
    assert ownership.home("late") is None
    assert ownership.over() == {}


@pytest.mark.parametrize(
    ("committed", "another_had_it"),
    [(9, True), (10, False), (11, True)],
    ids=["set back", "as left", "read on"],
)
def test_a_partition_that_another_replica_had_is_known_by_its_offset(
    ownership: Ownership, committed: int, another_had_it: bool
) -> None:
    assert ownership.overtaken({ONE: committed, TWO: 20}) == ({ONE} if another_had_it else set())


def test_a_commit_that_failed_does_not_look_like_another_replica(ownership: Ownership) -> None:
    ownership.processed({ONE: 14})
    assert ownership.overtaken({ONE: 10}) == set()
    assert ownership.overtaken({ONE: 14}) == set()
    assert ownership.overtaken({ONE: 15}) == {ONE}


def test_records_that_a_calls_state_includes_are_known(ownership: Ownership) -> None:
    ownership.heard(ONE, "ahead", 12)
    assert ownership.includes(ONE, "ahead", 12)
    assert not ownership.includes(ONE, "ahead", 13)
    assert not ownership.includes(ONE, "unknown", 0)


def test_an_ended_call_is_known_until_the_group_has_read_past_it(ownership: Ownership) -> None:
    ownership.ended(ONE, "a", 10)
    assert ownership.home("a") is None
    assert ownership.includes(ONE, "a", 10)
    assert ownership.over() == {}
    ownership.commit({ONE: 11})
    assert ownership.over() == {ONE: ["a"]}
    assert ownership.over() == {}


def test_a_call_that_began_again_is_not_over(ownership: Ownership) -> None:
    ownership.ended(ONE, "a", 10)
    ownership.heard(ONE, "a", 11)
    ownership.commit({ONE: 12})
    assert ownership.over() == {}
    assert ownership.home("a") == (ONE, 11)
