import numpy as np
import pytest
from numpy.typing import NDArray

from models.causal.page_store import PageStore, common_length

PLANES, KV_HEADS, HEAD_WIDTH, PAGE_TOKENS = 4, 2, 8, 4
START = np.full((PLANES, KV_HEADS, HEAD_WIDTH), 9, dtype=np.float16)


def store(capacity: int = 64) -> PageStore:
    return PageStore(START, capacity, PAGE_TOKENS)


def tokens(length: int, first: int = 100) -> NDArray[np.int64]:
    return np.arange(first, first + length)


def present(values: range) -> NDArray[np.float16]:
    columns = np.array(values, dtype=np.float16)[None, None, :, None]
    return np.broadcast_to(columns, (PLANES, KV_HEADS, len(values), HEAD_WIDTH))


def recalled(pages: PageStore, name: str, sequence: NDArray[np.int64]) -> list[float]:
    """What the first plane's first head holds for the cached beginning of a sequence."""
    prefix = pages.prefix(name, sequence)
    rows = pages.row_indices([prefix], new_tokens=0)[0, 0, 0]
    return [float(value) for value in pages.rows[rows].reshape(-1, HEAD_WIDTH)[: prefix.length, 0]]


def test_an_unknown_stream_begins_with_the_start_token() -> None:
    assert recalled(store(), "call", tokens(5)) == [9.0]


def test_what_was_kept_is_recalled_in_order_across_pages() -> None:
    pages = store()
    pages.keep("call", tokens(6), 1, present(range(1, 6)))
    assert recalled(pages, "call", tokens(6)) == [9, 1, 2, 3, 4, 5]


def test_a_stream_grows_from_its_prefix() -> None:
    pages = store()
    pages.keep("call", tokens(3), 1, present(range(1, 3)))
    pages.keep("call", tokens(9), 3, present(range(3, 9)))
    assert recalled(pages, "call", tokens(9)) == [9, 1, 2, 3, 4, 5, 6, 7, 8]


def test_only_the_common_beginning_is_recalled() -> None:
    pages = store()
    pages.keep("call", tokens(6), 1, present(range(1, 6)))
    other = tokens(6)
    other[2] = 7
    assert recalled(pages, "call", other) == [9, 1]


def test_a_stream_that_starts_again_overwrites_itself_and_frees_pages() -> None:
    pages = store(capacity=8)
    pages.keep("call", tokens(8), 1, present(range(1, 8)))
    pages.keep("call", tokens(3, first=500), 1, present(range(20, 22)))
    pages.keep("other", tokens(4), 1, present(range(1, 4)))
    assert recalled(pages, "call", tokens(3, first=500)) == [9, 20, 21]
    assert recalled(pages, "other", tokens(4)) == [9, 1, 2, 3]


def test_the_least_recently_used_stream_goes_first() -> None:
    pages = store(capacity=12)
    for name in ("first", "second", "third"):
        pages.keep(name, tokens(4), 1, present(range(1, 4)))
    pages.prefix("first", tokens(4))
    pages.keep("fourth", tokens(4), 1, present(range(1, 4)))
    lengths = {name: pages.prefix(name, tokens(4)).length for name in ("first", "second", "third", "fourth")}
    assert lengths == {"first": 4, "second": 1, "third": 4, "fourth": 4}


def test_it_never_holds_more_than_its_capacity() -> None:
    pages = store(capacity=16)
    for index in range(20):
        pages.keep(f"call {index}", tokens(5), 1, present(range(1, 5)))
        assert len(pages) <= 16


def test_a_stream_larger_than_the_store_is_not_kept_and_evicts_nobody() -> None:
    pages = store(capacity=8)
    pages.keep("small", tokens(4), 1, present(range(1, 4)))
    pages.keep("large", tokens(9), 1, present(range(1, 9)))
    assert pages.prefix("large", tokens(9)).length == 1
    assert pages.prefix("small", tokens(4)).length == 4


def test_a_stream_whose_prefix_was_evicted_meanwhile_is_not_kept() -> None:
    pages = store(capacity=8)
    pages.keep("call", tokens(4), 1, present(range(1, 4)))
    pages.keep("other", tokens(8), 1, present(range(1, 8)))
    pages.keep("call", tokens(6), 4, present(range(4, 6)))
    assert pages.prefix("call", tokens(6)).length == 1


@pytest.mark.parametrize(
    ("one", "other", "length"),
    [([], [1], 0), ([1, 2], [1, 2, 3], 2), ([1, 2, 3], [1, 9, 3], 1), ([4], [5], 0)],
)
def test_common_length_stops_at_the_first_difference(one: list[int], other: list[int], length: int) -> None:
    assert common_length(np.array(one, dtype=np.int64), np.array(other, dtype=np.int64)) == length
