import random
from datetime import date

import pytest

from service.calibration.calibrate import fit
from service.calibration.features import MISHEARING_FEATURES
from service.calibration.fit import TooFewExamples
from service.calibration.measure import labelled_example
from service.evaluation.folds import leave_one_call_out
from tests.service.evaluation.studies import StudyBuilder, measured

FEATURE = next(name for name, sign in MISHEARING_FEATURES.items() if sign > 0)


def labelled(*, turned: str = "") -> StudyBuilder:
    """Impact follows the feature, but in the call that is `turned`."""
    chance = random.Random(5)
    builder = StudyBuilder()
    for number in range(45):
        call, impact = f"call-{number % 3}", number % 5 % 3
        value = (-1 if call == turned else 1) * impact + chance.gauss(0, 0.5)
        builder.label(call, impact, measured(1, 0.0, features={FEATURE: value}))
    return builder


def test_a_call_is_judged_by_weights_that_have_not_seen_it() -> None:
    as_it_is, turned = labelled().study(), labelled(turned="call-1").study()

    before = leave_one_call_out(as_it_is.labels, as_it_is.measured)
    after = leave_one_call_out(turned.labels, turned.measured)

    assert before.model("call-1").weights == after.model("call-1").weights
    assert before.model("call-0").weights != after.model("call-0").weights


def test_the_weights_are_those_of_calibrate() -> None:
    builder = labelled()
    study = builder.study()
    examples = [labelled_example(item, study.stretch(item)[0].features) for item in builder.impact]

    found = leave_one_call_out(study.labels, study.measured).model("call-2").weights

    expected = fit(examples, date(2026, 1, 1), without_call="call-2")
    assert found.features == expected.features
    assert found.intercept == expected.intercept


def test_clean_calls_have_weights_fitted_without_them() -> None:
    builder = labelled()
    builder.call("clean", [measured(at, 0.0, features={FEATURE: 0.0}) for at in range(3)])
    study = builder.study()

    folds = leave_one_call_out(study.labels, study.measured)

    assert sorted(folds.by_call) == ["call-0", "call-1", "call-2", "clean"]
    assert folds.model("clean").weights.fitted_on["examples"] == 45
    assert folds.model("call-0").weights.fitted_on["examples"] == 30 + 3


def test_features_can_be_left_out() -> None:
    study = labelled().study()

    folds = leave_one_call_out(study.labels, study.measured, without_features=[FEATURE])

    assert all(FEATURE not in model.weights.features for model in folds.by_call.values())


def test_an_unknown_call_has_no_weights() -> None:
    study = labelled().study()

    with pytest.raises(KeyError):
        leave_one_call_out(study.labels, study.measured).model("other")


def test_one_call_is_too_few_to_leave_one_out() -> None:
    builder = StudyBuilder()
    for impact in (0, 2):
        builder.label("only", impact, measured(1, 0.0, features={FEATURE: float(impact)}))
    study = builder.study()

    with pytest.raises(TooFewExamples):
        leave_one_call_out(study.labels, study.measured)
