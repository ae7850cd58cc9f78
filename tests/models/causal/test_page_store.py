import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.causal.page_store import FEW_STREAMS, PATIENCE, CachedPrefix, PageStore, common_length

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


def test_a_text_that_begins_anew_stands_beside_the_one_before_until_the_next_list() -> None:
    pages = store()
    pages.begin_list()
    pages.keep("call", tokens(8), 1, present(range(1, 8)))
    pages.keep("call", tokens(3, first=500), 1, present(range(20, 22)))
    assert recalled(pages, "call", tokens(8)) == [9, 1, 2, 3, 4, 5, 6, 7]
    assert recalled(pages, "call", tokens(3, first=500)) == [9, 20, 21]

    pages.begin_list()
    pages.keep("call", tokens(4, first=500), 3, present(range(22, 23)))
    assert recalled(pages, "call", tokens(8)) == [9]
    assert recalled(pages, "call", tokens(4, first=500)) == [9, 20, 21, 22]
    assert len(pages) == 4


def test_a_text_that_only_begins_like_another_leaves_it_alone() -> None:
    pages = store()
    pages.begin_list()
    pages.keep("call", tokens(9), 1, present(range(1, 9)))
    other = np.append(tokens(3), tokens(4, first=500))
    assert pages.prefix("call", other).length == 3
    pages.keep("call", other, 3, present(range(20, 24)))
    assert recalled(pages, "call", other) == [9, 1, 2, 20, 21, 22, 23]
    assert recalled(pages, "call", tokens(9)) == [9, 1, 2, 3, 4, 5, 6, 7, 8]


def test_a_revised_end_overwrites_what_it_revises() -> None:
    pages = store(capacity=12)
    pages.keep("call", tokens(9), 1, present(range(1, 9)))
    revised = np.append(tokens(6), tokens(4, first=500))
    pages.keep("call", revised, 6, present(range(20, 24)))
    assert recalled(pages, "call", revised) == [9, 1, 2, 3, 4, 5, 20, 21, 22, 23]
    assert len(pages) == 10


def spoken(pages: PageStore, *names: str) -> list[str]:
    """Lets calls speak, one list of requests each; returns which were found."""
    found = []
    for name in names:
        pages.begin_list()
        length = pages.prefix(name, tokens(4)).length
        if length == 4:
            found.append(name)
        pages.keep(name, tokens(4), length, present(range(length, 4)))
    return found


def test_calls_in_turn_find_all_but_what_there_is_no_room_for() -> None:
    pages = store(capacity=40)
    calls = [str(number) for number in range(11)]
    for _ in range(3):
        spoken(pages, *calls)
    hits = sum(len(spoken(pages, *calls)) for _ in range(10))
    assert hits >= 90
    assert pages.evictions > 0


def test_what_a_list_has_kept_is_there_for_the_rest_of_it() -> None:
    pages = store(capacity=12)
    spoken(pages, "first", "second", "third")
    pages.begin_list()
    for name in ("fourth", "fifth"):
        pages.keep(name, tokens(4), 1, present(range(1, 4)))
    assert [name for name in ("fourth", "fifth") if pages.prefix(name, tokens(4)).length == 4] == [
        "fourth",
        "fifth",
    ]


def test_an_ended_call_is_forgotten_even_where_there_is_room() -> None:
    pages = store(capacity=1000)
    spoken(pages, "ended", "going on")
    for _ in range(PATIENCE * FEW_STREAMS + 1):
        spoken(pages, "going on")
    assert spoken(pages, "ended", "going on") == ["going on"]
    assert pages.evictions == 0


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


def test_a_prefix_is_read_back_as_it_was_written() -> None:
    pages = store()
    pages.keep("call", tokens(7), 1, present(range(1, 7)))
    prefix = pages.prefix("call", tokens(6))
    recalled_state = pages.recall(prefix)
    assert recalled_state.shape == (PLANES, KV_HEADS, 6, HEAD_WIDTH)
    assert recalled_state[1, 1, :, 3].tolist() == [9, 1, 2, 3, 4, 5]
    start = pages.recall(CachedPrefix(1, np.zeros(1, dtype=np.int64)))
    assert np.array_equal(start[:, :, 0], START)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(2, 30), st.booleans()), max_size=60))
def test_every_page_is_free_or_owned_once(steps: list[tuple[int, int, bool]]) -> None:
    pages = store(capacity=64)
    for call, length, new_list in steps:
        if new_list:
            pages.begin_list()
        sequence = tokens(length, first=call * 100)
        known = pages.prefix(str(call % 3), sequence).length
        pages.keep(str(call % 3), sequence, known, present(range(known, length)))
        sequences = [each for stream in pages._streams.values() for each in stream.sequences]
        owned = [page for each in sequences for page in each.pages.tolist()]
        assert sorted([*owned, *pages._free]) == list(range(1, 17))
        assert len(pages) == sum(len(each.tokens) for each in sequences) <= 64


@pytest.mark.parametrize(
    ("one", "other", "length"),
    [([], [1], 0), ([1, 2], [1, 2, 3], 2), ([1, 2, 3], [1, 9, 3], 1), ([4], [5], 0)],
)
def test_common_length_stops_at_the_first_difference(one: list[int], other: list[int], length: int) -> None:
    assert common_length(np.array(one, dtype=np.int64), np.array(other, dtype=np.int64)) == length
