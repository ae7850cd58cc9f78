"""How near two models are, from their NLLs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.parity import compare, requests_of, rows
from tests.benchmarks.calls import invented_call


def nlls(*segments: list[float]) -> list[NDArray[np.float32]]:
    return [np.array(segment, dtype=np.float32) for segment in segments]


def test_equal_models_agree() -> None:
    segments = nlls([1, 2, 3], [4, 5], [2, 2, 9])
    parity = compare(1, segments, segments, peak_tokens=2)
    assert (parity.segments, parity.tokens) == (3, 8)
    assert parity.spearman_mean == pytest.approx(1)
    assert parity.token_error_worst == 0


def test_errors_are_of_tokens_and_of_segments() -> None:
    parity = compare(1, nlls([1, 2, 3], [4, 5]), nlls([1, 2.5, 3], [4, 7]), peak_tokens=2)
    assert parity.token_error_mean == pytest.approx(0.5)
    assert parity.token_error_median == 0
    assert parity.token_error_worst == pytest.approx(2)
    assert parity.segment_mean_error_worst == pytest.approx(1)
    assert parity.segment_peak_error_worst == pytest.approx(1)


def test_another_order_of_segments_is_seen_in_their_ranks() -> None:
    parity = compare(1, nlls([1], [2], [3]), nlls([3], [2], [1]), peak_tokens=1)
    assert parity.spearman_mean == pytest.approx(-1)


def test_figures_are_shown_beside_their_bars() -> None:
    segments = nlls([1], [2])
    shown = {row["figure"]: row for row in rows(compare(1, segments, segments, peak_tokens=1))}
    assert shown["token_error_worst"] == {"figure": "token_error_worst", "value": 0.0, "bar": "< 1.5"}
    assert shown["segments"] == {"figure": "segments", "value": 2, "bar": ""}


def test_every_line_of_a_call_is_asked_for_after_what_was_said_before() -> None:
    call = invented_call("one", 4)
    requests = list(requests_of(call, "call 0"))
    assert {request.stream for request in requests} == {"call 0"}
    assert ["headache" in request.context for request in requests] == [False, True, True, True]
