from datetime import date

import pytest

from service.calibration.calibrate import ALERT_SHARE, fit
from service.calibration.examples import Example, ExampleKind
from service.calibration.fit import TooFewExamples
from service.risk import RiskModel

DAY = date(2026, 3, 1)


def segment(kind: ExampleKind, harmful: float, call: int = 0, **features: float) -> Example:
    return Example(f"call-{call}", features, harmful, kind)


JUDGED = [
    *(segment("impact", 1.0, call, least_context_gain=-1.0, asked_administrative=0.0) for call in range(8)),
    *(segment("impact", 0.0, call, least_context_gain=3.0, asked_administrative=0.0) for call in range(12)),
    *(segment("impact", 0.0, call, least_context_gain=-1.0, asked_administrative=1.0) for call in range(4)),
]
INJECTED = [
    *(segment("injected", 1.0, call, repair_gain=9.0, least_context_gain=1.0) for call in range(20)),
    *(segment("injected", 0.0, call, repair_gain=0.0, least_context_gain=1.0) for call in range(20)),
]
CLEAN = [segment("clean", 0.0, call, repair_gain=0.0, least_context_gain=1.0) for call in range(180)]


def test_each_kind_of_label_teaches_its_own_question() -> None:
    model = RiskModel(fit([*JUDGED, *INJECTED, *CLEAN], DAY))

    assert model.risk({"repair_gain": 9.0}) > model.risk({"repair_gain": 0.0})
    assert model.risk({"least_context_gain": -1.0}) > model.risk({"least_context_gain": 3.0})
    assert model.risk({"asked_administrative": 1.0}) < model.risk({"asked_administrative": 0.0})


def test_risk_is_at_the_level_of_altered_segments_among_clean_ones() -> None:
    examples = [*JUDGED, *INJECTED, *CLEAN]
    model = RiskModel(fit(examples, DAY))

    among_clean = [one for one in examples if one.kind == "clean" or (one.kind == "injected" and one.harmful)]
    mean = sum(model.risk(one.features) for one in among_clean) / len(among_clean)
    assert mean == pytest.approx(20 / 200, abs=1e-3)


@pytest.mark.parametrize("examples", [JUDGED, INJECTED, [*INJECTED, *CLEAN], [*JUDGED, *CLEAN]])
def test_any_of_the_labels_will_do(examples: list[Example]) -> None:
    assert fit(examples, DAY).features


def test_a_call_left_out_has_no_part_in_the_fit() -> None:
    odd = segment("impact", 1.0, 99, least_context_gain=50.0)

    assert (
        fit([*JUDGED, odd], DAY, without_call="call-99").features
        == fit(JUDGED, DAY, without_call="call-99").features
    )


def test_the_record_says_what_it_was_fitted_on() -> None:
    record = fit([*JUDGED, *INJECTED], DAY, without_call="call-3").fitted_on

    assert record["date"] == "2026-03-01"
    assert record["without_call"] == "call-3"
    assert record["examples"] == sum(one.call_id != "call-3" for one in [*JUDGED, *INJECTED])


def test_clean_calls_alone_teach_nothing() -> None:
    with pytest.raises(TooFewExamples):
        fit(CLEAN, DAY)


def test_the_alert_budget_is_spent_on_clean_calls() -> None:
    clean = [segment("clean", 0.0, at % 20, repair_gain=at / 100) for at in range(1300)]

    weights = fit([*INJECTED, *clean], DAY)

    model = RiskModel(weights)
    alerts = sum(model.risk(one.features) > weights.alert_risk for one in clean)
    assert alerts == round(len(clean) * ALERT_SHARE)
    assert 0 < weights.review_risk < weights.alert_risk


def test_evidence_of_which_no_label_speaks_counts_by_reason() -> None:
    model = RiskModel(fit([*JUDGED, *INJECTED, *CLEAN], DAY))

    assert model.risk({"implausible_doses": 1.0}) > 5 * model.risk({"implausible_doses": 0.0})
