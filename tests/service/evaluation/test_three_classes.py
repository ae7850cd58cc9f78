from itertools import combinations_with_replacement

import numpy as np
import pytest

from service.evaluation.resampling import Calls
from service.evaluation.three_classes import (
    UTILITIES,
    cut_points,
    three_class_figures,
    utility_of_one_class,
)


def worth(cuts: np.ndarray, scores: np.ndarray, labels: np.ndarray) -> float:
    return float(UTILITIES[labels, np.searchsorted(cuts, scores, side="right")].sum())


@pytest.mark.parametrize("seed", range(10))
def test_no_other_cut_points_are_worth_more(seed: int) -> None:
    chance = np.random.default_rng(seed)
    scores, labels = np.round(chance.normal(size=25), 1), chance.integers(0, 3, 25)

    found = cut_points(scores, labels)

    tried = combinations_with_replacement([*np.unique(scores), np.inf], 2)
    assert worth(found, scores, labels) == pytest.approx(
        max(worth(np.array(cuts), scores, labels) for cuts in tried)
    )


def test_scores_that_part_the_classes_are_read_without_a_mistake() -> None:
    labels = np.tile([0, 1, 2], 8)
    names = [f"call-{number % 4}" for number in range(24)]

    figures = three_class_figures(labels * 2.0, labels, names, Calls.of(names))

    assert figures["accuracy"]["value"] == 1.0
    assert figures["utility"]["value"] == pytest.approx((1.2 + 1.5 + 1.5) / 3)
    assert figures["predicted_by_label"] == [[8, 0, 0], [0, 8, 0], [0, 0, 8]]


def test_the_cut_points_of_a_call_come_from_the_others() -> None:
    names = ["a"] * 3 + ["b"] * 3
    labels = np.array([0, 1, 2, 0, 1, 2])
    scores = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 12.0])

    figures = three_class_figures(scores, labels, names, Calls.of(names))

    # By the other call's cut points all of `a` is harmless, and all of `b` significant.
    assert figures["predicted_by_label"] == [[1, 0, 1], [1, 0, 1], [1, 0, 1]]


def test_one_class_for_all_is_worth_the_best_column() -> None:
    assert utility_of_one_class(np.array([0, 0, 0])) == pytest.approx(1.2)
    assert utility_of_one_class(np.array([0, 2])) == pytest.approx(0.35)
