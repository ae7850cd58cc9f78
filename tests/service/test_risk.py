from pathlib import Path

import pytest

from service.risk import FeatureWeight, RiskModel, RiskModelInvalid, RiskWeights, load_risk_model

MODEL = RiskModel(
    RiskWeights(
        intercept=0.0,
        features={"peak_nll": FeatureWeight(weight=1.0, center=5.0, scale=2.0, low=0.0, high=9.0)},
        fitted_on={},
    )
)


def test_an_average_feature_gives_the_base_rate() -> None:
    assert MODEL.risk({"peak_nll": 5.0}) == pytest.approx(0.5)


def test_risk_rises_with_a_feature_of_positive_weight() -> None:
    assert MODEL.risk({"peak_nll": 7.0}) == pytest.approx(0.731, abs=1e-3)


def test_a_missing_feature_counts_as_average_and_an_unknown_one_not_at_all() -> None:
    assert MODEL.risk({"unheard_of": 100.0}) == MODEL.risk({"peak_nll": 5.0})


def test_an_extreme_feature_counts_no_more_than_its_bound() -> None:
    assert MODEL.risk({"peak_nll": 1e6}) == MODEL.risk({"peak_nll": 9.0})


def test_the_shipped_weights_can_be_read() -> None:
    assert 0.0 < load_risk_model(None).risk({}) < 1.0


@pytest.mark.parametrize("content", ["", "[]", '{"intercept": "high"}'])
def test_a_file_that_is_no_risk_model_is_named_in_the_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content)

    with pytest.raises(RiskModelInvalid, match=r"weights\.json"):
        load_risk_model(path)


def test_a_missing_file_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(RiskModelInvalid, match="auscult calibrate"):
        load_risk_model(tmp_path / "missing.json")
