"""Rank statistics against loops over pairs, and their resamples against calls that were really repeated."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from service.evaluation.ranking import auroc, kendall_tau_b, roc_curve, somers_d
from service.evaluation.resampling import Calls, Statistic, Vector

Sample = tuple[Vector, Vector, list[str]]


def sample(seed: int, items: int = 40) -> Sample:
    """Scores with ties, labels 0 to 2, calls of different length."""
    chance = np.random.default_rng(seed)
    return (
        np.round(chance.normal(size=items), 1),
        chance.integers(0, 3, items).astype(float),
        [f"call-{number}" for number in chance.integers(0, 6, items)],
    )


def pairs(scores: Sequence[float], labels: Sequence[float]) -> list[tuple[int, int]]:
    """Which way each pair goes, by score and by label."""
    return [
        (
            int(scores[i] > scores[j]) - int(scores[i] < scores[j]),
            int(labels[i] > labels[j]) - int(labels[i] < labels[j]),
        )
        for i in range(len(scores))
        for j in range(i)
    ]


def looped_auroc(scores: Sequence[float], labels: Sequence[float]) -> float:
    positive = [score for score, label in zip(scores, labels, strict=True) if label == 1]
    negative = [score for score, label in zip(scores, labels, strict=True) if label == 0]
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return wins / (len(positive) * len(negative))


def looped_tau_b(scores: Sequence[float], labels: Sequence[float]) -> float:
    both = pairs(scores, labels)
    norm = sum(s != 0 for s, _ in both) * sum(label != 0 for _, label in both)
    return sum(s * label for s, label in both) / math.sqrt(norm)


def looped_somers_d(scores: Sequence[float], labels: Sequence[float]) -> float:
    both = pairs(scores, labels)
    return sum(s * label for s, label in both) / sum(label != 0 for _, label in both)


def found(
    measure: Callable[..., Statistic], a_sample: Sample, resamples: int = 20
) -> tuple[Statistic, Calls]:
    scores, labels, names = a_sample
    calls = Calls.of(names, resamples)
    return measure(scores, labels, calls.places(names), calls.draws), calls


MEASURES = [(auroc, looped_auroc), (kendall_tau_b, looped_tau_b), (somers_d, looped_somers_d)]


@pytest.mark.parametrize(("measure", "looped"), MEASURES)
@pytest.mark.parametrize("seed", range(5))
def test_a_figure_is_what_a_loop_over_pairs_gives(
    measure: Callable[..., Statistic], looped: Callable[..., float], seed: int
) -> None:
    scores, labels, names = sample(seed)

    statistic, _ = found(measure, (scores, labels, names))

    assert statistic.value == pytest.approx(looped(scores, labels))


@pytest.mark.parametrize(("measure", "looped"), MEASURES)
def test_a_resample_is_what_repeated_calls_give(
    measure: Callable[..., Statistic], looped: Callable[..., float]
) -> None:
    scores, labels, names = sample(7)

    statistic, calls = found(measure, (scores, labels, names))

    for drawn, value in zip(calls.draws, statistic.draws, strict=True):
        times = dict(zip(calls.names, drawn, strict=True))
        again = [index for index, name in enumerate(names) for _ in range(int(times[name]))]
        assert value == pytest.approx(looped(scores[again], labels[again]))


def test_scores_that_say_nothing_are_at_chance() -> None:
    _, labels, names = sample(1)
    constant = np.full(len(labels), -np.inf)

    assert found(auroc, (constant, labels, names))[0].value == 0.5
    assert found(somers_d, (constant, labels, names))[0].value == 0.0
    assert math.isnan(found(kendall_tau_b, (constant, labels, names))[0].value)


def test_without_a_positive_item_there_is_no_auroc() -> None:
    scores, _, names = sample(2)

    statistic, _ = found(auroc, (scores, np.zeros(len(scores)), names))

    assert math.isnan(statistic.value)
    assert math.isnan(statistic.figures()["low"])


def test_the_area_under_the_curve_is_the_auroc() -> None:
    scores, labels, names = sample(3)

    false, true = zip(*roc_curve(scores, labels), strict=True)

    assert (false[0], true[0], false[-1], true[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert np.trapezoid(true, false) == pytest.approx(found(auroc, (scores, labels, names))[0].value)


@pytest.mark.parametrize("seed", range(3))
def test_scipy_agrees(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    scores, labels, names = sample(seed, 60)

    assert found(kendall_tau_b, (scores, labels, names))[0].value == pytest.approx(
        stats.kendalltau(scores, labels).statistic
    )
    assert found(somers_d, (scores, labels, names))[0].value == pytest.approx(
        stats.somersd(labels, scores).statistic
    )
