import random

import pytest

from service.calibration.examples import Example
from service.calibration.fit import TooFewExamples, fit_risk
from service.risk import FeatureWeight, RiskModel, RiskWeights

TRUTH = RiskModel(
    RiskWeights(
        intercept=-1.0,
        features={"cause": FeatureWeight(weight=2.0, center=0.0, scale=1.0, low=-9.0, high=9.0)},
        fitted_on={},
    )
)


def examples(count: int = 400) -> list[Example]:
    """Harm depends on `cause` with weight 2 and bias -1, and not on `noise`."""
    chance = random.Random(7)
    made = []
    for index in range(count):
        cause, noise = chance.gauss(0, 1), chance.gauss(0, 1)
        probability = TRUTH.risk({"cause": cause})
        harmful = float(chance.random() < probability)
        made.append(Example(f"call-{index % 10}", {"cause": cause, "noise": noise}, harmful, 1.0))
    return made


def test_the_fit_finds_what_the_labels_were_made_from() -> None:
    weights = fit_risk(examples(4000), ["cause", "noise"], prior_strength=1.0, fitted_on={})

    assert weights.features["cause"].weight / weights.features["cause"].scale == pytest.approx(2.0, abs=0.3)
    assert weights.features["noise"].weight == pytest.approx(0.0, abs=0.15)
    assert weights.intercept == pytest.approx(-1.0, abs=0.3)


def test_a_weight_against_reason_is_left_out() -> None:
    weights = fit_risk(examples(), ["cause", "noise"], 1.0, {}, signs={"cause": -1})

    assert set(weights.features) == {"noise"}


def test_a_stronger_prior_holds_weights_smaller() -> None:
    weak = fit_risk(examples(), ["cause"], 1.0, {}).features["cause"].weight
    strong = fit_risk(examples(), ["cause"], 200.0, {}).features["cause"].weight

    assert 0 < strong < weak


def test_a_feature_that_is_rarely_there_still_counts() -> None:
    harmless = [Example("a", {"rare": 0.0}, 0.0, 1.0) for _ in range(2000)]
    harmful = [Example("b", {"rare": 0.9}, 1.0, 1.0) for _ in range(6)]

    model = RiskModel(fit_risk([*harmless, *harmful], ["rare"], 1.0, {}))

    assert model.risk({"rare": 0.9}) > 10 * model.risk({"rare": 0.0})


def test_a_lacking_feature_counts_as_the_average() -> None:
    lacking = [Example(one.call_id, {}, one.harmful, one.weight) for one in examples(20)]

    weights = fit_risk([*examples(), *lacking], ["cause"], 1.0, {})

    model = RiskModel(weights)
    assert model.risk({}) == pytest.approx(model.risk({"cause": weights.features["cause"].center}))


def test_the_same_examples_give_the_same_weights() -> None:
    assert fit_risk(examples(), ["cause"], 1.0, {}) == fit_risk(examples(), ["cause"], 1.0, {})


@pytest.mark.parametrize("labels", [[], [0.0, 0.0], [1.0]])
def test_one_kind_of_label_is_too_few(labels: list[float]) -> None:
    with pytest.raises(TooFewExamples):
        fit_risk([Example("call", {"cause": 1.0}, label, 1.0) for label in labels], ["cause"], 1.0, {})


def test_a_feature_that_never_differs_is_left_out() -> None:
    constant = [
        Example(one.call_id, {**one.features, "constant": 0.0}, one.harmful, 1.0) for one in examples(50)
    ]

    assert set(fit_risk(constant, ["cause", "constant"], 1.0, {}).features) == {"cause"}
