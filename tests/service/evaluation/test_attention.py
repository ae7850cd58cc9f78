from typing import Any

from service.evaluation.attention import attention_figures
from service.evaluation.measured_segment import MeasuredProposal, MeasuredSegment
from tests.service.evaluation.studies import StudyBuilder, measured, proposal

CRITICAL = proposal("sound_alike_drug", "critical")
HIGH = proposal("contradiction", "high")
LOW = proposal("improbable_words", "low")


def half_hour(*flagged: MeasuredProposal, x: float = -9.0) -> list[MeasuredSegment]:
    return [measured(0, x, *flagged), *(measured(at, x) for at in range(1, 180))]


def attention(builder: StudyBuilder) -> dict[str, Any]:
    return attention_figures(builder.study())


def test_flags_are_counted_by_severity_and_type() -> None:
    builder = StudyBuilder()
    builder.call("a", half_hour(HIGH, LOW))
    builder.call("b", half_hour(LOW))

    figures = attention(builder)

    assert (figures["calls"], figures["hours"]) == (2, 1.0)
    assert figures["flags_by_severity"] == {"critical": 0, "high": 1, "medium": 0, "low": 2}
    assert figures["flags_by_type"] == {"contradiction": 1, "improbable_words": 2}
    assert (figures["urgent_flags"], figures["calls_with_urgent_flag"]) == (1, 1)


def test_what_the_transcriber_could_not_hear_is_left_out() -> None:
    builder = StudyBuilder()
    builder.call("a", half_hour(HIGH))
    builder.unclear["a"] = frozenset({0})

    assert attention(builder)["urgent_flags"] == 0


def test_calls_are_recommended_as_the_monitor_would() -> None:
    builder = StudyBuilder()
    builder.call("clean", half_hour())
    builder.call("critical", half_hour(CRITICAL))
    builder.call("risky", half_hour(x=9.0))

    assert attention(builder)["calls_sent_to_review"] == 2


def test_an_injected_error_is_flagged_by_a_flag_that_the_untouched_stretch_has_not() -> None:
    builder = StudyBuilder()
    builder.call("a", half_hour())
    plain, flagged = measured(3, 0.0), measured(3, 0.0, LOW)
    builder.inject("a", "censor_value", [plain, measured(4, 0.0, HIGH)], [plain, measured(4, 0.0)])
    builder.inject("a", "censor_value", [flagged], [flagged])
    builder.inject("a", "censor_value", [flagged], [plain])
    builder.inject("a", "censor_value", [plain], [flagged])

    assert attention(builder)["injected"] == {"censor_value": {"flagged": 0.5, "flagged_urgently": 0.25}}
