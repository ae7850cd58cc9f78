import pytest

from service.monitor_settings import PaceSettings
from service.pace import Pace, Paces, speech_seconds
from streams.messages import Segment

SETTINGS = PaceSettings(usual_words_per_second=3.0, prior_seconds=10.0, memory_seconds=100.0)


def test_a_speaker_who_was_not_heard_yet_has_the_usual_rate() -> None:
    assert Pace().words_per_second(SETTINGS) == pytest.approx(3.0)


def test_the_rate_moves_towards_what_was_heard() -> None:
    slow = Pace().after(words=10, seconds=10.0, settings=SETTINGS)

    assert slow.words_per_second(SETTINGS) == pytest.approx(2.0)


def test_what_was_heard_long_ago_fades() -> None:
    pace = Pace(words=500.0, seconds=100.0).after(words=100, seconds=100.0, settings=SETTINGS)

    assert pace == Pace(words=100.0, seconds=100.0)


def test_measured_speech_counts_before_the_duration() -> None:
    segment = Segment(call_id="c", sequence=0, speaker="patient", text="", start=2.0, end=9.0)
    measured = Segment(
        call_id="c", sequence=0, speaker="patient", text="", start=2.0, end=9.0, speech_seconds=1.5
    )
    untimed = Segment(call_id="c", sequence=0, speaker="patient", text="")

    assert (speech_seconds(segment), speech_seconds(measured), speech_seconds(untimed)) == (7.0, 1.5, None)


def heard(*sequences: int) -> Paces:
    """The paces after timed segments; each of its own length, spoken by the patient."""
    paces = Paces()
    for sequence in sequences:
        end = 2.0 + sequence % 7
        segment = Segment(call_id="c", sequence=sequence, speaker="patient", text="", start=0.0, end=end)
        paces.hear(segment, 3 + sequence, SETTINGS)
    return paces


@pytest.mark.parametrize("sequence", [10, 25, 39])
def test_a_segment_that_is_taken_back_leaves_no_trace(sequence: int) -> None:
    paces = heard(*range(40))

    paces.retract(sequence, SETTINGS)

    rest = [other for other in range(40) if other != sequence]
    assert paces.of("patient") == heard(*rest).of("patient") != heard(*range(40)).of("patient")


def test_a_segment_of_long_ago_or_without_words_changes_no_pace() -> None:
    paces = heard(*range(40))

    paces.hear(Segment(call_id="c", sequence=40, speaker="patient", text="", start=0.0, end=9.0), 0, SETTINGS)
    paces.retract(0, SETTINGS)
    paces.retract(40, SETTINGS)

    assert paces.of("patient") == heard(*range(40)).of("patient")
    assert paces.of("clinician") == Pace()
