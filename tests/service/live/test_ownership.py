"""Which calls are remembered when partitions come and go."""

import pytest
from aiokafka import TopicPartition

from service.live.ownership import Ownership

ONE, TWO = TopicPartition("t", 1), TopicPartition("t", 2)


@pytest.fixture
def ownership() -> Ownership:
    """Of two partitions, read up to offsets 10 and 20, with a call in each."""
    ownership = Ownership()
    ownership.assigned({ONE, TWO})
    ownership.heard(ONE, "a")
    ownership.heard(TWO, "b")
    ownership.processed({ONE: 10, TWO: 20})
    return ownership


def test_the_calls_of_a_partition_that_is_gone_are_forgotten(ownership: Ownership) -> None:
    assert ownership.assigned({TWO}) == ({ONE}, ["a"])
    assert ownership.partitions == {TWO}
    assert ownership.next_offsets == {TWO: 20}


def test_the_calls_of_a_partition_that_comes_back_are_kept(ownership: Ownership) -> None:
    assert ownership.assigned({ONE, TWO}) == (set(), [])
    assert ownership.resumes(ONE, 10) == []


def test_records_that_are_read_again_do_not_make_calls_forgotten(ownership: Ownership) -> None:
    ownership.assigned({ONE, TWO})
    assert ownership.resumes(ONE, 7) == []


def test_calls_are_forgotten_when_another_replica_has_read_on(ownership: Ownership) -> None:
    ownership.assigned({ONE, TWO})
    assert ownership.resumes(ONE, 11) == ["a"]
    assert ownership.resumes(ONE, 99) == []


def test_a_gap_in_the_offsets_alone_makes_no_call_forgotten(ownership: Ownership) -> None:
    assert ownership.resumes(ONE, 99) == []


def test_a_call_that_is_over_is_not_forgotten_again(ownership: Ownership) -> None:
    ownership.ended(["a"])
    assert ownership.assigned(set()) == ({ONE, TWO}, ["b"])


def test_what_was_processed_of_a_partition_that_is_gone_is_not_noted(ownership: Ownership) -> None:
    ownership.assigned({TWO})
    ownership.processed({ONE: 11})
    assert ONE not in ownership.next_offsets
