from service.dialogue.lines import Line
from service.dialogue.tokens import tokenise
from service.repair.recent_speech import RecentSpeech

RECENT = RecentSpeech(
    [
        Line(0, "clinician", tokenise("Any headaches, or a runny")),
        Line(1, "patient", tokenise("nose, um, bleeds")),
    ]
)


def test_a_term_that_either_speaker_said_was_spoken_of() -> None:
    assert RECENT.speaks_of("headaches")
    assert RECENT.speaks_of("nose bleeds")


def test_the_singular_speaks_of_the_plural_and_the_reverse() -> None:
    assert RECENT.speaks_of("headache")
    assert RECENT.speaks_of("noses")


def test_a_part_of_a_word_is_not_spoken_of() -> None:
    assert not RECENT.speaks_of("head")


def test_words_of_two_lines_are_no_term() -> None:
    assert not RECENT.speaks_of("runny nose")


def test_without_lines_nothing_was_spoken_of() -> None:
    assert not RecentSpeech([]).speaks_of("headaches")
    assert not RecentSpeech([]).speaks_of("")
