import math

import numpy as np
import pytest

from service.evaluation.resampling import Calls, Statistic, mean_of, ratio

NAMES = [f"call-{number}" for number in range(12)]


def statistic(value: float, *draws: float) -> Statistic:
    return Statistic(value, np.array(draws))


def test_each_resample_draws_as_many_calls_as_there_are() -> None:
    calls = Calls.of([*NAMES, *NAMES], resamples=500)

    assert calls.draws.shape == (500, 12)
    assert set(calls.draws.sum(axis=1)) == {12.0}
    assert calls.draws.mean(axis=0) == pytest.approx(1.0, abs=0.2)


def test_the_same_seed_draws_the_same_calls() -> None:
    assert np.array_equal(Calls.of(NAMES).draws, Calls.of(NAMES).draws)
    assert not np.array_equal(Calls.of(NAMES).draws, Calls.of(NAMES, seed=2).draws)


def test_an_interval_covers_the_true_share_about_as_often_as_it_says() -> None:
    chance = np.random.default_rng(3)
    covered = 0
    for _ in range(100):
        hits = (chance.random(40) < 0.3).astype(float)
        calls = Calls.of([f"call-{number:02}" for number in range(40)], resamples=300)
        figures = ratio(hits, np.ones(40), np.arange(40), calls.draws).figures()
        covered += figures["low"] <= 0.3 <= figures["high"]

    assert 86 <= covered <= 99


def test_a_ratio_over_resamples_weighs_calls_by_how_often_they_were_drawn() -> None:
    draws = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]])

    found = ratio(np.array([1.0, 0.0, 0.0]), np.ones(3), np.array([0, 0, 1]), draws)

    assert found.value == pytest.approx(1 / 3)
    assert found.draws == pytest.approx([1 / 2, 1 / 3, 0.0])


def test_a_figure_is_ahead_in_the_resamples_in_which_it_is_larger() -> None:
    found = statistic(0.8, 0.9, 0.7, 0.6, math.nan).ahead_of(statistic(0.7, 0.8, 0.7, 0.7, 0.5))

    assert found["difference"] == pytest.approx(0.1)
    assert found["ahead"] == pytest.approx(0.5)  # one ahead, one tied, one behind; one cannot be told


def test_a_mean_leaves_out_what_a_resample_could_not_measure() -> None:
    found = mean_of([statistic(0.2, 0.1, math.nan, math.nan), statistic(0.4, 0.3, 0.5, math.nan)])

    assert found.value == pytest.approx(0.3)
    assert found.draws[:2] == pytest.approx([0.2, 0.5])
    assert math.isnan(found.draws[2])
