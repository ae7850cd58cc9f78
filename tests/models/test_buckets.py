from hypothesis import given
from hypothesis import strategies as st

from models.buckets import buckets


@given(st.lists(st.integers(1, 300), max_size=60), st.integers(8, 2048), st.integers(1, 32))
def test_every_input_is_in_one_batch_that_holds_it_and_keeps_the_bound(
    lengths: list[int], max_tokens: int, step: int
) -> None:
    batches = list(buckets(lengths, max_tokens, step=step))

    assert sorted(index for _, members in batches for index in members) == list(range(len(lengths)))
    for padded, members in batches:
        assert padded % step == 0
        assert all(padded - step < lengths[index] <= padded for index in members)
        assert members == sorted(members)
        assert len(members) == 1 or padded * len(members) <= max_tokens


def test_like_lengths_share_a_batch() -> None:
    assert list(buckets([3, 20, 8, 18], max_tokens=1000)) == [(8, [0, 2]), (24, [1, 3])]


def test_a_batch_is_split_at_the_bound() -> None:
    assert list(buckets([8, 8, 8], max_tokens=16)) == [(8, [0, 1]), (8, [2])]


def test_an_empty_input_still_has_a_place() -> None:
    assert list(buckets([0], max_tokens=16)) == [(8, [0])]


def test_nothing_is_padded_beyond_the_longest_input_of_the_model() -> None:
    assert list(buckets([13, 5, 20], max_tokens=100, longest=14)) == [(8, [1]), (14, [0]), (20, [2])]
