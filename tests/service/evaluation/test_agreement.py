import pytest

from service.evaluation.agreement import agreement_figures
from tests.service.evaluation.studies import StudyBuilder, measured, proposal

FLAG, ANOTHER, OTHER = (
    proposal("contradiction", "high"),
    proposal("contradiction", "high", 1),
    proposal("unanswered_question", "high"),
)


def test_equal_forms_agree() -> None:
    builder = StudyBuilder()
    builder.call("a", [measured(0, 1.0, FLAG), measured(1, 2.0)])

    figures = agreement_figures(builder.study())

    assert figures["risk_correlation"] == pytest.approx(1.0)
    assert figures["risk_rank_correlation"] == pytest.approx(1.0)
    assert figures["flags_in_common"] == 1.0


def test_flags_on_one_form_only_are_not_in_common() -> None:
    builder = StudyBuilder()
    builder.call(
        "a",
        [measured(0, 0.0, FLAG), measured(1, 1.0, ANOTHER), measured(2, 2.0)],
        bare=[measured(0, 0.0, FLAG), measured(1, 1.0, OTHER), measured(2, 2.0)],
    )

    figures = agreement_figures(builder.study())

    assert (figures["flags_given"], figures["flags_bare"]) == (2, 2)
    assert figures["flags_in_common"] == pytest.approx(1 / 3)


def test_risks_that_run_against_each_other_correlate_negatively() -> None:
    builder = StudyBuilder()
    xs = [0.0, 1.0, 1.0, 3.0]
    builder.call(
        "a",
        [measured(at, x) for at, x in enumerate(xs)],
        bare=[measured(at, -x) for at, x in enumerate(xs)],
    )

    figures = agreement_figures(builder.study())

    assert figures["risk_correlation"] == pytest.approx(-1.0)
    assert figures["risk_rank_correlation"] == pytest.approx(-1.0)


def test_without_any_flag_nothing_disagrees() -> None:
    builder = StudyBuilder()
    builder.call("a", [measured(0, 0.0), measured(1, 0.0)])

    figures = agreement_figures(builder.study())

    assert (figures["flags_in_common"], figures["risk_correlation"]) == (1.0, 1.0)
