import random

import numpy as np
import pytest

from service.calibration.examples import Example
from service.calibration.fit import (
    LinearScore,
    TooFewExamples,
    at_level,
    balanced,
    fit_score,
    risk_weights,
    table_of,
)
from service.risk import FeatureWeight, RiskModel, RiskWeights

TRUTH = RiskModel(
    RiskWeights(
        intercept=-1.0,
        features={"cause": FeatureWeight(weight=2.0, center=0.0, scale=1.0, low=-9.0, high=9.0)},
        fitted_on={},
    )
)
SIGNS = {"cause": +1, "noise": 0}


def examples(count: int = 400) -> list[Example]:
    """Harm depends on `cause` with weight 2 and bias -1, and not on `noise`."""
    chance = random.Random(7)
    made = []
    for index in range(count):
        cause, noise = chance.gauss(0, 1), chance.gauss(0, 1)
        harmful = float(chance.random() < TRUTH.risk({"cause": cause}))
        made.append(Example(f"call-{index % 10}", {"cause": cause, "noise": noise}, harmful, "impact"))
    return made


def fitted(
    labelled: list[Example], signs: dict[str, int] | None = None, prior_strength: float = 1.0
) -> RiskWeights:
    signs = SIGNS if signs is None else signs
    table = table_of(labelled, signs)
    return risk_weights(fit_score(table, np.ones(len(labelled)), signs, prior_strength), table.scales, {})


def test_the_fit_finds_what_the_labels_were_made_from() -> None:
    weights = fitted(examples(4000))

    assert weights.features["cause"].weight / weights.features["cause"].scale == pytest.approx(2.0, abs=0.3)
    assert weights.features["noise"].weight == pytest.approx(0.0, abs=0.15)
    assert RiskModel(weights).risk({"cause": 0.0}) == pytest.approx(TRUTH.risk({"cause": 0.0}), abs=0.05)


def test_a_weight_against_reason_is_left_out() -> None:
    assert set(fitted(examples(), {"cause": -1, "noise": 0}).features) == {"noise"}


def test_a_stronger_prior_holds_weights_smaller() -> None:
    weak, strong = (
        fitted(examples(), prior_strength=prior).features["cause"].weight for prior in (1.0, 200.0)
    )

    assert 0 < strong < weak


def test_a_feature_that_is_rarely_there_still_counts() -> None:
    harmless = [Example("a", {"rare": 0.0}, 0.0, "clean") for _ in range(2000)]
    harmful = [Example("b", {"rare": 0.9}, 1.0, "injected") for _ in range(6)]

    model = RiskModel(fitted([*harmless, *harmful], {"rare": +1}))

    assert model.risk({"rare": 0.9}) > 10 * model.risk({"rare": 0.0})


def test_a_lacking_feature_counts_as_the_average() -> None:
    lacking = [Example(one.call_id, {}, one.harmful, one.kind) for one in examples(20)]

    weights = fitted([*examples(), *lacking])

    average = {name: part.center for name, part in weights.features.items()}
    assert RiskModel(weights).risk({}) == pytest.approx(RiskModel(weights).risk(average))


def test_the_same_examples_give_the_same_weights() -> None:
    assert fitted(examples()) == fitted(examples())


@pytest.mark.parametrize("labels", [[], [0.0, 0.0], [1.0]])
def test_one_kind_of_label_is_too_few(labels: list[float]) -> None:
    with pytest.raises(TooFewExamples):
        fitted([Example("call", {"cause": float(at)}, label, "impact") for at, label in enumerate(labels)])


def test_a_feature_that_never_differs_is_left_out() -> None:
    constant = [
        Example(one.call_id, {**one.features, "constant": 0.0}, one.harmful, one.kind) for one in examples(50)
    ]

    assert set(table_of(constant, ["cause", "constant"]).columns) == {"cause"}


def test_balanced_counts_give_the_harmful_their_share() -> None:
    labelled = examples(300)

    counts = balanced(table_of(labelled, []), 0.3)

    harmful = np.array([one.harmful for one in labelled])
    assert counts.sum() == pytest.approx(300)
    assert (counts * harmful).sum() == pytest.approx(0.3 * 300)


def test_scores_add_up_feature_by_feature() -> None:
    total = LinearScore(1.0, {"cause": 2.0}).plus(LinearScore(0.5, {"cause": 1.0, "noise": -1.0}))

    assert total == LinearScore(1.5, {"cause": 3.0, "noise": -1.0})


@pytest.mark.parametrize("boldness", [0.3, 4.0])
def test_at_its_level_a_score_says_how_often_it_is_right(boldness: float) -> None:
    labelled = examples(4000)
    table = table_of(labelled, ["cause"])
    score = fit_score(table, np.ones(4000), {"cause": +1}, 1.0)
    wrong = LinearScore(score.intercept + 2.0, {"cause": boldness * score.weights["cause"]})

    right = at_level(wrong, table)

    assert right.intercept == pytest.approx(score.intercept, abs=0.01)
    assert right.weights["cause"] == pytest.approx(score.weights["cause"], abs=0.01)
