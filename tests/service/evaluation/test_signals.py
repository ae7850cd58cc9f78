import random

import pytest

from service.calibration.features import MISHEARING_FEATURES
from service.evaluation.folds import leave_one_call_out
from service.evaluation.signals import ablation_figures, signal_figures
from tests.service.evaluation.studies import StudyBuilder, measured

TELLING, NOISE, UNUSED = "words_missing", "log_tokens", "unused"


def labelled() -> StudyBuilder:
    """The score of `silence` tells impact 2, its published form the other way round; `noise` tells nothing."""
    chance = random.Random(2)
    builder = StudyBuilder()
    builder.signals = {TELLING: "silence", NOISE: "noise", UNUSED: "bystander"}
    for number in range(90):
        impact = number % 3
        health = 0.9 - 0.4 * impact + chance.uniform(-0.1, 0.1)
        readings = {"silence": health, "silence_simple": 1 - health}
        if number % 2:
            readings["noise"] = chance.random()
        features = {
            TELLING: impact + chance.gauss(0, 0.8),
            NOISE: chance.gauss(0, 1),
            UNUSED: chance.random(),
        }
        builder.label(f"call-{number % 5}", impact, measured(1, 0.0, readings=readings, features=features))
    return builder


def test_the_features_of_this_test_are_known() -> None:
    assert {TELLING, NOISE} <= set(MISHEARING_FEATURES)


def test_each_reading_is_ranked_alone_beside_its_published_form() -> None:
    figures = signal_figures(labelled().study())

    assert figures["silence"]["auroc"]["value"] == 1.0
    assert figures["silence_simple"]["auroc"]["value"] == 0.0
    assert figures["noise"]["measured"] == pytest.approx(0.5)
    assert 0.3 < figures["noise"]["auroc"]["value"] < 0.7
    assert "matched_auroc" not in figures["silence"]


def test_a_segment_without_the_reading_counts_as_healthy() -> None:
    builder = StudyBuilder()
    builder.label("a", 2, measured(1, 0.0, readings={"silence": 0.5}))
    builder.label("b", 0, measured(1, 0.0))

    assert signal_figures(builder.study())["silence"]["auroc"]["value"] == 1.0


def test_injected_errors_rank_readings_by_type() -> None:
    builder = StudyBuilder()
    builder.call("a", [measured(0, 0.0)])
    well, ill = measured(0, 0.0, readings={"silence": 1.0}), measured(0, 0.0, readings={"silence": 0.2})
    builder.inject("a", "censor_value", [ill], [well])
    builder.inject("a", "negation_flip", [well], [well])

    assert signal_figures(builder.study())["silence"]["matched_auroc"]["value"] == 0.75


def test_risk_loses_by_leaving_out_the_signal_that_tells() -> None:
    builder = labelled()
    folds = leave_one_call_out(builder.study().labels, builder.study().measured)

    ablation = ablation_figures(builder.study(folds))

    assert set(ablation) == {"silence", "noise"}  # no risk model uses the bystander
    assert ablation["silence"]["features"] == [TELLING]
    assert ablation["silence"]["auroc"]["low"] > 0.1
    assert abs(ablation["noise"]["auroc"]["difference"]) < 0.1
