import orjson

from service.demo.listener import Outcomes
from streams.encoding import encode_assessment, encode_flag, encode_summary
from streams.messages import Assessment, CallSummary, Flag, Segment

SEGMENT = Segment(
    call_id="call-1", sequence=0, speaker="patient", text="i nearly painted", start=3.0, end=4.0
)
FLAG = Flag(
    id="flag-1",
    call_id="call-1",
    sequence=0,
    type="misheard_term",
    severity="medium",
    span=(9, 16),
    reason="sounds_like_expected_term",
    explanation="Sounds like a symptom.",
    suggestion="fainted",
)


def assessment(*flags: Flag) -> bytes:
    return encode_assessment(
        Assessment(
            id="assessment-1",
            segment=SEGMENT,
            late=False,
            revision=False,
            risk=0.5,
            quality=0.5,
            quality_recommendation="REVIEW",
            signals={},
            flags=flags,
        )
    )


def summary() -> bytes:
    return encode_summary(
        CallSummary(
            id="summary-1",
            call_id="call-1",
            segments=1,
            duration_seconds=4.0,
            risk=0.5,
            quality=0.5,
            quality_recommendation="REVIEW",
            recommendation="REVIEW",
            flags_by_severity={"medium": 1},
            worst_segments=(0,),
            ended_by="event",
        )
    )


def test_a_flag_is_read_as_it_was_published() -> None:
    outcomes = Outcomes({"call-1": 1})
    raised = outcomes.add_flag(encode_flag(FLAG, SEGMENT))
    assert raised is not None
    assert raised.flag == FLAG
    assert (raised.speaker, raised.start, raised.text) == ("patient", 3.0, "i nearly painted")


def test_a_redelivered_flag_is_one_flag() -> None:
    outcomes = Outcomes({"call-1": 1})
    outcomes.add_flag(encode_flag(FLAG, SEGMENT))
    assert outcomes.add_flag(encode_flag(FLAG, SEGMENT)) is None
    assert len(outcomes.flags) == 1


def test_it_waits_for_a_flag_that_an_assessment_has_announced() -> None:
    outcomes = Outcomes({"call-1": 1})
    outcomes.add_assessment(assessment(FLAG))
    outcomes.add_summary(summary())
    assert not outcomes.complete
    outcomes.add_flag(encode_flag(FLAG, SEGMENT))
    assert outcomes.complete


def test_it_waits_for_the_assessment_of_every_segment() -> None:
    outcomes = Outcomes({"call-1": 2})
    outcomes.add_assessment(assessment())
    outcomes.add_assessment(assessment())  # redelivered
    outcomes.add_summary(summary())
    assert not outcomes.complete


def test_it_waits_for_the_summary_of_every_call() -> None:
    outcomes = Outcomes({"call-1": 1})
    outcomes.add_assessment(assessment())
    assert not outcomes.complete
    outcomes.add_summary(summary())
    assert outcomes.complete


def test_what_was_said_is_not_in_its_representation() -> None:
    outcomes = Outcomes({"call-1": 1})
    raised = outcomes.add_flag(encode_flag(FLAG, SEGMENT))
    assert "painted" not in repr(raised)
    assert "painted" not in repr(outcomes)
    assert orjson.loads(encode_flag(FLAG, SEGMENT))["segment"]["text"] == "i nearly painted"
