from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.lost_speech import AIMED_AT, Case, Kind, Said, bare_text, build_cases, read_calls
from streams.messages import Segment, Speaker

OPENING: list[tuple[Speaker, str]] = [("clinician", "Hello."), ("patient", "Hi.")] * 3
TALK: list[tuple[Speaker, str]] = [
    ("clinician", "Right. Where does it hurt?"),
    ("patient", "It hurts low down in my tummy on the right."),
    ("clinician", "OK, I see."),
    ("patient", "And I felt sick all day long. I had no food."),
    ("clinician", "Sorry to hear that. Can you confirm your name?"),
    ("patient", "Ada Example."),
    ("clinician", "Thanks."),
]


def call(unclear: bool = False) -> tuple[Said, ...]:
    return tuple(
        Said(
            Segment(call_id="c", sequence=at, speaker=speaker, text=text, start=5.0 * at, end=5.0 * at + 4.0),
            unclear,
        )
        for at, (speaker, text) in enumerate(OPENING + TALK)
    )


def cases(kind: Kind) -> list[Case]:
    return [case for case in build_cases(call()) if case.kind == kind]


def test_an_answer_is_lost_between_a_question_and_the_next_words() -> None:
    (case,) = cases("answer")

    assert case.lost == "It hurts low down in my tummy on the right."
    assert len(case.altered) == len(case.untouched) - 1
    assert case.altered[case.place[0]].text == case.untouched[case.place[1]].text == "ok i see"


def test_a_turn_is_cut_after_a_word_that_needs_another_and_ends_with_it() -> None:
    case = cases("cut")[0]
    left, whole = (segments[case.place[0]] for segments in (case.altered, case.untouched))

    assert left.text == "it hurts low down in"
    assert whole.text.startswith(left.text)
    assert left.end is not None
    assert whole.end is not None
    assert left.end < whole.end


def test_text_is_lost_and_its_times_stay() -> None:
    case = cases("text")[0]
    emptied, whole = (segments[case.place[0]] for segments in (case.altered, case.untouched))

    assert emptied.text == ""
    assert (emptied.start, emptied.end) == (whole.start, whole.end)


def test_a_stretch_is_lost_where_nothing_was_asked() -> None:
    assert [case.lost for case in cases("stretch")] == ["And I felt sick all day long. I had no food."]


def test_neither_a_missing_number_nor_punctuation_gives_a_loss_away() -> None:
    for case in build_cases(call()):
        for segments in (case.altered, case.untouched):
            assert all(after.sequence == before.sequence + 1 for before, after in pairwise(segments))
            assert all(segment.text == bare_text(segment.text) for segment in segments)


def test_what_the_transcriber_did_not_understand_makes_no_case() -> None:
    assert build_cases(call(unclear=True)) == []


def test_the_recorded_calls_give_enough_cases(shared_data: Path) -> None:
    calls = read_calls(shared_data / "primock57")
    built = [case for said in calls for case in build_cases(said)]

    assert sum(case.kind in AIMED_AT for case in built) >= 120
    assert built == [case for said in calls for case in build_cases(said)]


@pytest.mark.parametrize(("written", "bare"), [("It's 38.5, OK?", "it's 38 5 ok"), ("", "")])
def test_bare_text_has_no_punctuation_and_no_capitals(written: str, bare: str) -> None:
    assert bare_text(written) == bare
