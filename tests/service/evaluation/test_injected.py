import pytest

from service.evaluation.injected import injected_figures
from service.evaluation.probability import probability_figures
from tests.service.evaluation.studies import StudyBuilder, measured


def calls_with_errors() -> StudyBuilder:
    """Two clean calls of half an hour with risks rising by segment, and errors of two types.

    The budget is six alerts an hour: the six highest segments of the clean hour are over it.
    """
    builder = StudyBuilder()
    for call in ("a", "b"):
        builder.call(call, [measured(at, at / 100.0) for at in range(180)])
    low, high = measured(5, 0.1), measured(5, 5.0)
    after = measured(6, 0.0)
    builder.inject("a", "negation_flip", [high, after], [low, after])
    builder.inject("b", "negation_flip", [low, measured(6, 4.0)], [low, after])
    builder.inject("b", "censor_value", [low, after], [low, after])
    builder.inject("a", "censor_value", [low, after], [high, after])
    return builder


def test_an_error_is_found_if_it_or_what_follows_is_over_the_budget() -> None:
    by_type = injected_figures(calls_with_errors().study())["by_type"]

    assert by_type["negation_flip"]["recall_at_budget"]["value"] == 1.0
    assert by_type["negation_flip"]["already_over"]["value"] == 0.0
    assert by_type["censor_value"]["recall_at_budget"]["value"] == 0.0
    assert by_type["censor_value"]["already_over"]["value"] == 0.5


def test_only_the_altered_segment_counts_for_the_matched_auroc() -> None:
    by_type = injected_figures(calls_with_errors().study())["by_type"]

    # Of the four pairs of altered and untouched, two are won and two are tied.
    assert by_type["negation_flip"]["matched_auroc"]["value"] == 0.75
    assert by_type["negation_flip"]["rises"]["value"] == 1.0
    assert by_type["censor_value"]["rises"]["value"] == 0.0


def test_the_mean_is_over_types_and_not_over_errors() -> None:
    builder = calls_with_errors()
    builder.inject("a", "negation_flip", [measured(9, 5.0)], [measured(9, 0.0)])

    figures = injected_figures(builder.study())

    assert figures["errors"] == {"censor_value": 2, "negation_flip": 3}
    assert figures["mean"]["recall_at_budget"]["value"] == 0.5


def test_the_budget_is_measured_on_the_clean_calls() -> None:
    figures = injected_figures(calls_with_errors().study())

    assert figures["clean_hours"] == pytest.approx(1.0)
    assert figures["clean_segments"] == 360
    # Two calls share each risk: the seventh highest is the fourth from the top of either.
    assert figures["budget_risk"] == pytest.approx(calls_with_errors().study().risk("a", measured(0, 1.76)))


def test_recall_never_falls_with_more_alerts() -> None:
    for shares in injected_figures(calls_with_errors().study())["recall"].values():
        assert shares == sorted(shares)


def test_altered_segments_count_as_harmful_and_clean_ones_as_harmless() -> None:
    figures = probability_figures(calls_with_errors().study())

    assert figures["items"] == 360 + 4
    assert figures["base_rate"] == pytest.approx(4 / 364)
