"""Thresholds against a sorted list, as whoever counts alerts by hand would find them."""

import numpy as np
import pytest

from service.evaluation.budget import CleanCalls, Operating, recall_curve, share_above
from service.evaluation.resampling import Calls

NAMES = ["a"] * 30 + ["b"] * 20 + ["c"] * 50
MINUTES = np.array([12.0, 9.5, 25.0])


@pytest.fixture
def risk() -> np.ndarray:
    return np.round(np.random.default_rng(5).random(100), 2)


def clean_calls(risk: np.ndarray, calls: Calls) -> CleanCalls:
    return CleanCalls.of(risk, calls.places(NAMES), MINUTES)


def counted(risk: list[float], minutes: float) -> float:
    highest_first = sorted(risk, reverse=True)
    return highest_first[min(len(highest_first) - 1, int(minutes / 10))]


def test_no_more_alerts_than_the_budget_are_above_the_threshold(risk: np.ndarray) -> None:
    threshold = clean_calls(risk, Calls.of(NAMES)).threshold()

    assert threshold == counted(list(risk), MINUTES.sum())
    assert np.sum(risk > threshold) <= MINUTES.sum() / 10


def test_a_resample_has_the_threshold_of_its_own_calls(risk: np.ndarray) -> None:
    calls = Calls.of(NAMES, resamples=200)

    thresholds = clean_calls(risk, calls).thresholds(calls.draws)

    for drawn, threshold in zip(calls.draws, thresholds, strict=True):
        times = dict(zip(calls.names, drawn, strict=True))
        repeated = [one for one, name in zip(risk, NAMES, strict=True) for _ in range(int(times[name]))]
        assert threshold == counted(repeated, float(drawn @ MINUTES))


def test_calls_without_times_allow_no_alert(risk: np.ndarray) -> None:
    calls = Calls.of(NAMES)
    clean = CleanCalls.of(risk, calls.places(NAMES), np.zeros(3))

    assert clean.threshold() == risk.max()


def test_recall_counts_what_is_above_the_threshold(risk: np.ndarray) -> None:
    calls = Calls.of(NAMES, resamples=50)
    clean = clean_calls(risk, calls)
    budget = Operating.of(clean, calls.draws)
    errors = np.array([0.0, budget.threshold, 1.1, 1.2])

    found = share_above(errors, budget, calls.places(["a", "b", "b", "c"]), calls.draws)

    assert found.value == 0.5  # at the threshold is not above it
    assert found.figures()["high"] <= 1.0
    assert recall_curve(errors, clean, [6.0]) == [0.5]


def test_a_larger_budget_never_finds_less(risk: np.ndarray) -> None:
    clean = clean_calls(risk, Calls.of(NAMES))
    shares = recall_curve(np.linspace(0, 1, 50), clean, [0.5, 2, 6, 20, 60])

    assert shares == sorted(shares)
