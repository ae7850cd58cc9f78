import numpy as np
import pytest

from service.evaluation.reliability import brier_score, calibration_error, equal_mass_bins, reliability


def test_bins_hold_as_equal_a_number_of_items_as_can_be() -> None:
    bins = equal_mass_bins(np.linspace(0, 1, 23), np.zeros(23), bins=10)

    assert [one.items for one in bins] == [3, 3, 3, 2, 2, 2, 2, 2, 2, 2]
    assert [one.predicted for one in bins] == sorted(one.predicted for one in bins)


def test_fewer_items_than_bins_have_a_bin_each() -> None:
    assert [one.items for one in equal_mass_bins(np.array([0.1, 0.9]), np.array([0.0, 1.0]))] == [1, 1]


def test_probabilities_that_hold_have_no_error() -> None:
    predicted = np.repeat([0.25, 0.75], 4)
    outcomes = np.array([1, 0, 0, 0, 1, 1, 1, 0], float)

    assert calibration_error(equal_mass_bins(predicted, outcomes, bins=2)) == pytest.approx(0.0)


def test_the_error_is_the_mean_distance_weighted_by_items() -> None:
    predicted, outcomes = np.repeat([0.1, 0.6], [6, 2]), np.array([0] * 6 + [1, 1], float)

    assert calibration_error(equal_mass_bins(predicted, outcomes, bins=4)) == pytest.approx(
        (6 * 0.1 + 2 * 0.4) / 8
    )


def test_the_base_rate_has_no_skill_and_a_sure_and_right_one_has_all() -> None:
    outcomes = np.array([1.0, 0.0, 0.0, 0.0])

    assert reliability(np.full(4, 0.25), outcomes)["brier_skill"] == pytest.approx(0.0)
    assert reliability(outcomes, outcomes)["brier_skill"] == pytest.approx(1.0)
    assert reliability(1 - outcomes, outcomes)["brier_skill"] < 0
    assert brier_score(1 - outcomes, outcomes) == 1.0
