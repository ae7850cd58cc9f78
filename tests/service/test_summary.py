import pytest

from service.flagging import SEVERITIES
from service.monitor_settings import CompositeSettings, RecommendationSettings
from service.summary import CallTally, operating_point, recommend
from streams.messages import Assessment, Flag, Segment, Severity

REVIEW_RISK = 0.4
SETTINGS = operating_point(RecommendationSettings(worst_segments=2), REVIEW_RISK)


def assessment(sequence: int, risk: float, *severities: Severity, quality: float | None = 0.9) -> Assessment:
    segment = Segment(
        call_id="call",
        sequence=sequence,
        speaker="patient",
        text="",
        start=10.0 * sequence,
        end=10.0 * sequence + 4,
    )
    flags = tuple(
        Flag(
            id=f"{sequence}-{severity}",
            call_id="call",
            sequence=sequence,
            type="misheard_term",
            severity=severity,
            span=None,
            reason="",
            explanation="",
        )
        for severity in severities
    )
    return Assessment(
        id=str(sequence),
        segment=segment,
        late=False,
        revision=False,
        risk=risk,
        quality=quality,
        quality_recommendation=None,
        signals={},
        flags=flags,
    )


def counts(**given: int) -> dict[Severity, int]:
    return {severity: given.get(severity, 0) for severity in SEVERITIES}


def test_a_calls_risk_is_that_of_its_worst_segments() -> None:
    tally = CallTally()
    for sequence, risk in enumerate((0.1, 0.8, 0.2, 0.6)):
        tally.add(assessment(sequence, risk))

    summary = tally.summary("call", "event", SETTINGS, CompositeSettings())

    assert summary.risk == pytest.approx(0.7)
    assert summary.worst_segments == (1, 3)
    assert (summary.segments, summary.duration_seconds) == (4, 34.0)


def test_a_revised_segment_counts_once_with_its_last_assessment() -> None:
    tally = CallTally()
    tally.add(assessment(0, 0.9, "high"))
    tally.add(assessment(0, 0.1))

    summary = tally.summary("call", "silence", SETTINGS, CompositeSettings())

    assert (summary.segments, summary.risk, summary.flags_by_severity["high"]) == (1, 0.1, 0)


def test_a_calls_worst_flag_follows_revisions_and_moves_with_its_state() -> None:
    tally = CallTally()
    seen = [tally.worst_flag]
    for sequence, severities in ((0, ("low",)), (1, ("critical", "medium")), (1, ("medium",))):
        tally.add(assessment(sequence, 0.1, *severities))
        seen.append(tally.worst_flag)

    assert seen == ["none", "low", "critical", "medium"]
    assert CallTally.of_form(tally.form()).worst_flag == "medium"


def test_a_call_that_never_ends_is_summed_up_whole_in_bounded_memory() -> None:
    tally = CallTally()
    for sequence in range(2500):
        quality = None if sequence % 2 else sequence / 2500
        tally.add(assessment(sequence, 0.9 if sequence in {3, 1800} else 0.1, "low", quality=quality))
    tally.add(assessment(2499, 0.8, "high"))

    summary = tally.summary("call", "event", RecommendationSettings(worst_segments=4), CompositeSettings())

    assert (summary.segments, summary.worst_segments) == (2500, (3, 1800, 2499, 0))
    assert summary.risk == pytest.approx((0.9 + 0.9 + 0.8 + 0.1) / 4)
    assert summary.flags_by_severity == counts(low=2499, high=1)
    assert summary.quality == pytest.approx((sum(range(0, 2500, 2)) / 2500 + 0.9) / 1251)
    assert len(tally._recent) + len(tally._before.worst) < 1200


def test_quality_is_the_mean_of_the_segments_that_have_one() -> None:
    tally = CallTally()
    tally.add(assessment(0, 0.1, quality=0.6))
    tally.add(assessment(1, 0.1, quality=None))
    tally.add(assessment(2, 0.1, quality=0.8))

    summary = tally.summary("call", "event", SETTINGS, CompositeSettings())

    assert summary.quality == pytest.approx(0.7)
    assert summary.quality_recommendation == "REVIEW"


@pytest.mark.parametrize(
    ("risk", "flags", "expected"),
    [
        (0.1, counts(), "ACCEPT"),
        (0.1, counts(medium=3, low=9), "ACCEPT"),
        (0.1, counts(critical=1), "REVIEW"),
        (0.1, counts(high=SETTINGS.review_high_flags), "REVIEW"),
        (0.1, counts(high=SETTINGS.review_high_flags - 1), "ACCEPT"),
        (REVIEW_RISK, counts(), "REVIEW"),
        (SETTINGS.reject_risk, counts(), "REJECT"),
        (0.1, counts(high=SETTINGS.reject_urgent_flags), "REJECT"),
    ],
)
def test_risk_and_urgent_flags_decide_the_recommendation(
    risk: float, flags: dict[Severity, int], expected: str
) -> None:
    assert recommend(risk, flags, SETTINGS) == expected


def test_the_settings_line_goes_before_that_of_the_risk_weights() -> None:
    drawn = RecommendationSettings(review_risk=0.7)

    assert operating_point(drawn, 0.4).review_risk == 0.7
    assert operating_point(RecommendationSettings(), 0.4).review_risk == 0.4


def test_without_a_line_risk_alone_sends_no_call_to_review() -> None:
    assert recommend(0.89, counts(), RecommendationSettings()) == "ACCEPT"
