import random

import pytest

from service.evaluation.impact import PEAKS, RISK, WORD_ERRORS, impact_figures
from service.evaluation.likelihood import ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT
from tests.service.evaluation.studies import StudyBuilder, measured


def labelled(count: int = 60, *, with_reference: bool = False) -> StudyBuilder:
    """Risk follows the label, with some noise; likelihoods are noise; of impact 2 words are missing."""
    chance = random.Random(11)
    builder = StudyBuilder()
    for number in range(count):
        impact = number % 3
        likelihoods = {name: chance.random() for name in (ALONE, IN_CONTEXT, PEAKS_IN_CONTEXT)}
        found = measured(1, impact - 1 + chance.gauss(0, 0.8), features=likelihoods)
        heard = "no" if impact == 2 else "not since spring"
        builder.label(
            f"call-{number % 5}", impact, found, heard, "Not since spring." if with_reference else ""
        )
    return builder


def test_risk_that_follows_the_labels_is_ahead_of_noise() -> None:
    figures = impact_figures(labelled().study())

    assert (figures["items"], figures["calls"]) == (60, 5)
    assert figures["items_by_impact"] == {"0": 20, "1": 20, "2": 20}
    assert figures["ranking"][RISK]["auroc"]["value"] > 0.9
    assert figures["ranking"][RISK]["auroc"]["low"] > 0.8
    assert figures["risk_ahead_of"][PEAKS]["somers_d"]["low"] > 0
    assert figures["risk_ahead_of"][PEAKS]["somers_d"]["ahead"] > 0.99


def test_few_labels_are_said_to_be_few() -> None:
    assert impact_figures(labelled().study())["few"]


def test_error_rates_stand_beside_risk_where_every_reference_is_known() -> None:
    pytest.importorskip("jiwer")

    with_reference = impact_figures(labelled(with_reference=True).study())
    without = impact_figures(labelled().study())

    assert with_reference["ranking"][WORD_ERRORS]["auroc"]["value"] == 1.0
    assert with_reference["risk_ahead_of"][WORD_ERRORS]["auroc"]["difference"] < 0
    assert WORD_ERRORS not in without["ranking"]
    assert WORD_ERRORS not in without["risk_ahead_of"]


def test_a_segment_without_a_likelihood_ranks_lowest() -> None:
    builder = labelled(30)
    for own, (found,) in builder.stretches.items():
        significant = builder.impact[int(own.removeprefix("impact-"))].impact == 2
        builder.stretches[own] = (
            measured(1, found.features["x"], features={} if significant else {ALONE: 1.0}),
        )

    figures = impact_figures(builder.study())

    assert figures["ranking"]["NLL of the segment alone"]["auroc"]["value"] == 0.0


def test_the_reliability_curve_counts_only_significant_impact() -> None:
    reliability = impact_figures(labelled().study())["reliability"]

    assert reliability["base_rate"] == pytest.approx(1 / 3)
    assert [one["items"] for one in reliability["bins"]] == [6] * 10
