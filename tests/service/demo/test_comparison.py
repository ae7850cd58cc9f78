from dataclasses import replace

from service.demo.bundle import PlantedError
from service.demo.comparison import compare
from service.demo.outcome import RaisedFlag
from streams.messages import Flag, Related, Span

TEXT = "i nearly painted at work"
ERROR = PlantedError("call-1", 4, "misheard_symptom", "fainted", "painted", frozenset({"misheard_term"}))
PAINTED = (9, 16)


def raised(
    type_: str = "misheard_term",
    *,
    call_id: str = "call-1",
    sequence: int = 4,
    span: Span | None = PAINTED,
    related: tuple[Related, ...] = (),
) -> RaisedFlag:
    flag = Flag(
        id=f"{call_id}-{sequence}-{type_}-{span}",
        call_id=call_id,
        sequence=sequence,
        type=type_,
        severity="medium",
        span=span,
        reason="because",
        explanation="Because.",
        related=related,
    )
    return RaisedFlag(flag, "patient", 12.0, TEXT)


def test_a_flag_of_the_right_type_on_the_words_finds_the_error() -> None:
    comparison = compare([ERROR], [raised()])
    assert comparison.results[0].verdict == "found"
    assert comparison.for_nothing == ()


def test_a_flag_of_another_type_on_the_words_notices_the_error() -> None:
    comparison = compare([ERROR], [raised("topic_drift")])
    assert comparison.results[0].verdict == "noticed"
    assert comparison.for_nothing == ()


def test_a_flag_that_names_the_error_rightly_outweighs_one_that_does_not() -> None:
    comparison = compare([ERROR], [raised("topic_drift"), raised()])
    assert comparison.results[0].verdict == "found"
    assert comparison.count("found") == 1


def test_a_flag_on_the_whole_segment_points_at_the_error_in_it() -> None:
    assert compare([ERROR], [raised(span=None)]).results[0].verdict == "found"


def test_a_flag_on_other_words_of_the_segment_only_notices_the_error() -> None:
    comparison = compare([ERROR], [raised(span=(20, 24))])
    assert comparison.results[0].verdict == "noticed"
    assert comparison.for_nothing == ()


def test_a_flag_on_another_segment_is_for_nothing() -> None:
    elsewhere = raised(sequence=5)
    comparison = compare([ERROR], [elsewhere])
    assert comparison.results[0].verdict == "missed"
    assert comparison.for_nothing == (elsewhere,)


def test_a_later_flag_that_refers_back_finds_the_error() -> None:
    later = raised(sequence=9, span=(0, 3), related=(Related(4, PAINTED),))
    assert compare([ERROR], [later]).results[0].verdict == "found"


def test_the_same_sequence_of_another_call_is_not_it() -> None:
    other = raised(call_id="call-2")
    comparison = compare([ERROR], [other])
    assert comparison.results[0].verdict == "missed"
    assert comparison.for_nothing == (other,)


def test_where_words_were_lost_any_flag_of_the_segment_points_at_it() -> None:
    lost = PlantedError(
        "call-1", 4, "dropped_answer", "no i have not", "", frozenset({"unanswered_question"})
    )
    assert compare([lost], [raised("unanswered_question", span=(0, 2))]).results[0].verdict == "found"


def test_an_error_is_mended_when_what_was_said_is_suggested() -> None:
    right, wrong = (replace(raised().flag, suggestion=suggestion) for suggestion in ("Fainted", "pointed"))
    for flag, mended in ((right, True), (wrong, False)):
        (result,) = compare([ERROR], [replace(raised(), flag=flag)]).results
        assert result.verdict == "found"
        assert result.mended is mended


def test_an_error_without_a_flag_is_missed() -> None:
    comparison = compare([ERROR], [])
    assert comparison.results[0].verdict == "missed"
    assert comparison.count("missed") == 1
