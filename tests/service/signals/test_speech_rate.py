import pytest

from service.monitor_settings import PaceSettings
from service.pace import Pace
from service.signals.base import Finding
from service.signals.speech_rate import SpeechRate, simple_reading
from tests.service.moments import finding_of, moment_of

SETTINGS = PaceSettings()


def measure(
    text: str,
    start: float | None,
    end: float | None,
    pace: Pace | None = None,
    settings: PaceSettings = SETTINGS,
) -> Finding:
    return finding_of(SpeechRate(settings), moment_of(text, start=start, end=end, pace=pace))


@pytest.mark.parametrize(
    ("words", "seconds", "score"),
    [(0, 10, 0.0), (8, 10, 0.0), (20, 10, 1.0), (25, 10, 1.0), (41, 10, 0.044), (50, 10, 0)],
)
def test_the_simple_form_knows_one_rate_for_everybody(words: int, seconds: float, score: float) -> None:
    assert simple_reading(words, seconds).score == pytest.approx(score, abs=1e-3)


def test_much_speech_with_few_words_is_flagged_as_words_missing() -> None:
    finding = measure("yeah", 10.0, 22.0)

    assert [(one.type, one.reason) for one in finding.proposals] == [
        ("implausible_speech_rate", "words_missing")
    ]
    assert finding.readings["speech_rate"].score == 0.0


def test_an_empty_text_with_speech_is_flagged() -> None:
    assert measure("", 10.0, 20.0).proposals[0].reason == "words_missing"


def test_more_words_than_anybody_speaks_are_flagged_as_surplus() -> None:
    finding = measure("one after the other " * 8, 10.0, 12.0)

    assert [one.reason for one in finding.proposals] == ["words_surplus"]


def test_a_caption_in_a_moment_of_sound_is_flagged_as_surplus() -> None:
    finding = measure("thank you for watching please like and subscribe to our channel", 3.0, 3.3)

    assert [one.reason for one in finding.proposals] == ["words_surplus"]


def test_ordinary_speech_is_healthy() -> None:
    finding = measure("i have had this headache for about four days now and it will not go", 0.0, 5.5)

    assert finding.proposals == ()
    assert finding.readings["speech_rate"].score == pytest.approx(1.0, abs=0.1)


def test_a_speaker_known_to_be_slow_is_not_missing_words() -> None:
    text, slow = "well it started on tuesday", Pace(words=60.0, seconds=120.0)

    assert (
        measure(text, 0.0, 9.0, slow).features["words_missing"]
        < measure(text, 0.0, 9.0).features["words_missing"]
    )


def test_without_times_the_signal_is_absent() -> None:
    finding = measure("yes", None, None)

    assert {reading.absent for reading in finding.readings.values()} == {"no_times"}
    assert finding.proposals == ()


def test_a_very_short_sound_without_words_is_not_flagged() -> None:
    assert measure("", 1.0, 1.4).proposals == ()


def test_settings_move_the_threshold() -> None:
    strict = SETTINGS.model_copy(update={"flag_missing_words": 3.0})

    assert measure("", 0.0, 2.0, settings=strict).proposals
    assert not measure("", 0.0, 2.0).proposals
