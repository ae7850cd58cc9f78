from service.dialogue.lines import Line
from service.dialogue.tokens import tokenise
from service.gaps.silence import silence_after, silence_before
from streams.messages import Speaker


def line(sequence: int, start: float | None, end: float | None, speaker: Speaker = "patient") -> Line:
    return Line(sequence, speaker, tokenise("some words"), start, end)


def test_silence_begins_where_the_last_words_of_anybody_end() -> None:
    assert silence_before(line(2, 9.0, 10.0), [line(0, 0.0, 7.0), line(1, 2.0, 3.0, "clinician")]) == 2.0


def test_there_is_no_silence_where_speech_overlaps() -> None:
    assert silence_before(line(1, 4.0, 6.0), [line(0, 0.0, 5.0)]) == 0.0


def test_without_times_silence_is_not_known() -> None:
    assert silence_before(line(1, None, None), [line(0, 0.0, 5.0)]) is None
    assert silence_before(line(1, 6.0, 7.0), [line(0, None, None)]) is None
    assert silence_after(line(0, None, None), [line(1, 6.0, 7.0)]) is None


def test_what_was_said_into_a_line_does_not_end_the_silence_after_it() -> None:
    spoken_into = line(1, 2.0, 2.5, "clinician")

    assert silence_after(line(0, 0.0, 5.0), [spoken_into, line(2, 8.0, 9.0)]) == 3.0


def test_whoever_is_heard_first_ends_the_silence() -> None:
    assert silence_after(line(0, 0.0, 5.0), [line(2, 9.0, 9.5), line(1, 6.0, 6.5)]) == 1.0
