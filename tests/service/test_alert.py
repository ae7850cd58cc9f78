from dataclasses import replace

from service.alert import with_alert
from service.signals.base import Proposal
from streams.messages import Evidence, Segment, SignalReading

SEGMENT = Segment(call_id="call", sequence=7, speaker="patient", text="i take my break for it")
READINGS = {
    "perplexity": SignalReading(
        9.0, 0.2, (Evidence((2, 6), "improbable_word", 8.0), Evidence((10, 15), "improbable_word", 12.0))
    )
}
NAMED = Proposal(
    type="misheard_term",
    severity="medium",
    span=(7, 15),
    reason="sounds_like_expected_term",
    explanation="It sounds like another word.",
    subject="ibuprofen",
    strength=0.5,
)


def test_risk_over_the_budgets_line_is_an_alert_that_shows_the_most_improbable_word() -> None:
    (alert,) = with_alert([], SEGMENT, 0.6, 0.4, READINGS)

    assert (alert.type, alert.severity, alert.span) == ("likely_misheard", "medium", (10, 15))


def test_risk_under_the_line_is_none() -> None:
    assert not with_alert([], SEGMENT, 0.39, 0.4, READINGS)


def test_what_a_signal_can_name_needs_no_alert_beside_it() -> None:
    assert list(with_alert([NAMED], SEGMENT, 0.6, 0.4, READINGS)) == [NAMED]


def test_a_lesser_proposal_leaves_the_alert_standing() -> None:
    lesser = replace(NAMED, severity="low")

    assert [one.type for one in with_alert([lesser], SEGMENT, 0.6, 0.4, READINGS)] == [
        "misheard_term",
        "likely_misheard",
    ]


def test_without_improbable_words_the_whole_segment_is_meant() -> None:
    (alert,) = with_alert([], SEGMENT, 0.6, 0.4, {})

    assert alert.span is None
