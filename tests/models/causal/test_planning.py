import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.causal.page_store import CachedPrefix, PageStore
from models.causal.planning import Feed, Job, Region, form_batches, plan_jobs, rounds, rows_of_a_pass, windows
from models.causal.text_encoding import EncodedText
from models.interfaces import ScoreRequest

START = 1


def encoded(context: list[int], text: list[int]) -> EncodedText:
    return EncodedText(
        np.array(context + text, dtype=np.int64), len(context), np.zeros((len(text), 2), np.int32)
    )


def planned(*parts: tuple[str | None, bool, list[int], list[int]]) -> list[Job]:
    requests = [ScoreRequest("", "", stream, extends) for stream, extends, _, _ in parts]
    return plan_jobs(requests, [encoded(context, text) for _, _, context, text in parts], START, window=64)


def test_segments_that_continue_each_other_are_one_sequence() -> None:
    [job] = planned(("call", True, [5], [6, 7]), ("call", True, [5, 6, 7, 8], [9]))
    assert job.tokens.tolist() == [START, 5, 6, 7, 8, 9]
    assert job.regions == [Region(0, 0, 2, 4), Region(1, 0, 5, 6)]
    assert job.kept


def test_a_restarted_context_is_a_sequence_of_its_own_and_both_are_kept() -> None:
    jobs = planned(("call", True, [5], [6, 7]), ("call", True, [7, 8], [9]))
    assert [(job.tokens.tolist(), job.kept) for job in jobs] == [
        ([START, 5, 6, 7], True),
        ([START, 7, 8, 9], True),
    ]


def test_variants_and_nameless_texts_are_never_kept_nor_joined() -> None:
    jobs = planned(("call", True, [5], [6]), ("call", False, [5], [7]), (None, True, [5], [6]))
    assert [job.kept for job in jobs] == [True, False, False]


def test_the_token_after_the_start_token_alone_is_left_to_the_table() -> None:
    [job] = planned((None, True, [], [6, 7]))
    assert job.regions == [Region(0, 1, 2, 3)]
    assert planned((None, True, [], [6])) == []


@given(st.integers(0, 300), st.integers(0, 300), st.integers(4, 40).map(lambda half: 2 * half))
def test_windows_cover_every_scored_token_once_with_half_a_window_before_it(
    first: int, scored: int, window: int
) -> None:
    length = first + scored
    covered: list[int] = []
    for context, start, end in windows(first, length, window):
        assert end - context <= window
        assert start - context >= min(start, window // 2)
        covered += range(start, end)
    assert covered == list(range(first, length))


@given(st.integers(1, 200), st.integers(1, 200))
def test_a_window_begins_where_it_would_if_the_text_had_come_in_pieces(first: int, scored: int) -> None:
    whole = {
        token: context
        for context, start, end in windows(first, first + scored, 32)
        for token in range(start, end)
    }
    pieces = {token: next(windows(token, token + 1, 32))[0] for token in range(first, first + scored)}
    assert whole == pieces


def feed(new_tokens: int, cached: int = 1) -> Feed:
    job = Job(None, np.zeros(cached + new_tokens + 1, dtype=np.int64), [Region(0, 0, cached + 1, cached + 2)])
    return Feed(job, CachedPrefix(cached, np.zeros(-(-cached // 16), dtype=np.int64)))


def test_batches_group_like_lengths_where_that_saves_padding() -> None:
    batches = form_batches([feed(length) for length in (3, 30, 4, 29, 4, 28, 90)], rows=64)
    assert [[len(each.new_tokens) for each in batch] for batch in batches] == [
        [90],
        [30],
        [29, 28],
        [4, 4, 3],
    ]


def test_sequences_without_a_past_are_not_padded_to_the_past_of_others() -> None:
    feeds = [feed(length, known) for length, known in ((8, 300), (8, 1), (8, 300), (8, 1)) for _ in range(6)]
    batches = form_batches(feeds, rows=128)
    assert [{each.prefix.length for each in batch} for batch in batches] == [{300}, {1}]


def test_a_few_sequences_share_a_pass_whatever_their_pasts() -> None:
    (batch,) = form_batches([feed(8, 100), feed(9, 1)], rows=128)
    assert len(batch) == 2


def test_a_sequence_longer_than_a_pass_has_a_group_of_its_own() -> None:
    assert sorted(len(batch) for batch in form_batches([feed(200), feed(3), feed(3)], rows=64)) == [1, 2]


def test_rounds_keep_order_and_bound_the_new_tokens_of_each() -> None:
    jobs = [feed(length).job for length in (10, 10, 30, 5)]
    store = PageStore(np.zeros((2, 1, 2), dtype=np.float16), capacity=0, page_tokens=4)
    groups = [[len(each.new_tokens) for each in group] for group in rounds(jobs, store, new_tokens=24)]
    assert groups == [[10, 10], [30], [5]]


def test_a_round_looks_for_prefixes_after_the_one_before_has_kept_its_own() -> None:
    store = PageStore(np.zeros((2, 1, 2), dtype=np.float16), capacity=64, page_tokens=4)
    first, second = planned(("call", True, [5], [6, 7]), ("call", False, [5, 6, 7], [8]))
    groups = rounds([first, second], store, new_tokens=1)
    next(groups)
    store.keep("call", first.tokens[:-1], 1, np.zeros((2, 1, 2, 2), dtype=np.float16))
    [found] = next(groups)
    assert found.prefix.length == 3


@pytest.mark.parametrize(
    ("new_tokens", "passes_at_once", "rows"),
    [
        (10, 2, 64),
        (100, 2, 64),
        (130, 2, 65),
        (200, 2, 100),
        (300, 2, 75),
        (1000, 2, 125),
        (100, 1, 100),
        (0, 2, 64),
    ],
)
def test_passes_are_divided_evenly_among_threads_where_that_is_worth_it(
    new_tokens: int, passes_at_once: int, rows: int
) -> None:
    assert rows_of_a_pass(new_tokens, passes_at_once, most=128) == rows


def test_pieces_of_a_feed_score_what_the_whole_does() -> None:
    job = Job("call", np.arange(20), [Region(0, 0, 3, 9), Region(1, 4, 12, 20)])
    whole = Feed(job, CachedPrefix(1, np.zeros(1, dtype=np.int64)))
    pieces = [
        whole.piece(CachedPrefix(known, np.zeros(1, dtype=np.int64)), new_tokens=5)
        for known in (1, 6, 11, 16)
    ]
    assert np.concatenate([piece.new_tokens for piece in pieces]).tolist() == whole.new_tokens.tolist()
    assert np.concatenate([piece.targets for piece in pieces]).tolist() == whole.targets.tolist()
    scored = [piece.new_tokens[piece.scored_rows] + 1 for piece in pieces]
    assert np.concatenate(scored).tolist() == whole.targets.tolist()
    assert [region for piece in pieces for region in piece.job.regions] == [
        Region(0, 0, 3, 7),
        Region(0, 4, 7, 9),
        Region(1, 4, 12, 17),
        Region(1, 9, 17, 20),
    ]


@pytest.mark.parametrize("cached", [1, 2])
def test_a_feed_leaves_out_the_cached_and_the_last_token(cached: int) -> None:
    tokens: NDArray[np.int64] = np.array([START, 5, 6, 7, 8])
    job = Job("call", tokens, [Region(0, 0, 3, 5)])
    feed_of_job = Feed(job, CachedPrefix(cached, np.zeros(1, dtype=np.int64)))
    assert feed_of_job.new_tokens.tolist() == tokens[cached:4].tolist()
    assert (feed_of_job.new_tokens[feed_of_job.scored_rows]).tolist() == [6, 7]
    assert feed_of_job.targets.tolist() == [7, 8]
