import re
from itertools import pairwise

import pytest

from service.demo.bundle import (
    PlantedError,
    UnknownConsultation,
    consultation_files,
    consultation_names,
    planted_errors,
)
from streams.decoding import Limits, decode
from streams.messages import Segment

NAMES = consultation_names()
ERRORS = planted_errors(NAMES)
CLEAN = set(NAMES) - {error.call_id for error in ERRORS}


def segments(name: str) -> list[Segment]:
    (file,) = consultation_files([name])
    return [segment(line) for line in file.read_bytes().splitlines()]


def segment(line: bytes) -> Segment:
    message, oddities = decode(line, Limits())
    assert isinstance(message, Segment)
    assert oddities == ()
    return message


def test_there_are_two_clean_consultations_among_ten() -> None:
    assert len(NAMES) == 10
    assert len(CLEAN) == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_consultation_is_one_call_in_order(name: str) -> None:
    call = segments(name)
    assert {one.call_id for one in call} == {name}
    assert [one.sequence for one in call] == list(range(len(call)))
    assert 40 <= len(call) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_times_run_as_a_conversation_does(name: str) -> None:
    call = segments(name)
    starts = [one.start for one in call if one.start is not None]
    ends = [one.end for one in call if one.end is not None]
    assert len(starts) == len(ends) == len(call)
    assert all(earlier <= later for earlier, later in pairwise(starts))
    assert all(start < end for start, end in zip(starts, ends, strict=True))
    minutes = ends[-1] / 60
    assert 4 <= minutes <= 8
    words = sum(len(one.text.split()) for one in call)
    assert 100 <= words / minutes <= 180


@pytest.mark.parametrize("name", NAMES)
def test_a_speaker_does_not_talk_over_himself(name: str) -> None:
    for speaker in ("patient", "clinician"):
        turns = [(one.start, one.end) for one in segments(name) if one.speaker == speaker]
        for (_, end), (start, _) in pairwise(turns):
            assert start is not None
            assert end is not None
            assert end <= start


def test_half_of_the_consultations_are_written_bare() -> None:
    bare = [name for name in NAMES if all(one.text == one.text.lower() for one in segments(name))]
    assert len(bare) == 5
    for name in bare:
        assert not any(re.search(r"[.,?!0-9]", one.text) for one in segments(name))


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: f"{error.call_id}-{error.sequence}")
def test_a_planted_error_is_where_the_list_says(error: PlantedError) -> None:
    text = segments(error.call_id)[error.sequence].text
    if error.written:
        assert len(re.findall(rf"(?<!\w){re.escape(error.written)}(?!\w)", text)) == 1
    assert error.said != error.written
    assert error.flags


def test_low_confidence_does_not_give_the_planted_errors_away() -> None:
    confidences = [segments(error.call_id)[error.sequence].confidence or 0.0 for error in ERRORS]
    assert sum(confidence > 0.9 for confidence in confidences) > len(confidences) / 2


def test_one_error_is_listed_once() -> None:
    places = [(error.call_id, error.sequence) for error in ERRORS]
    assert len(places) == len(set(places))


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownConsultation, match="headache"):
        consultation_files(["no-such-call"])


def test_the_list_of_errors_keeps_to_the_wanted_calls() -> None:
    assert {error.call_id for error in planted_errors(["headache"])} == {"headache"}
    assert planted_errors(CLEAN) == ()


def test_files_are_named_after_their_call() -> None:
    assert [file.stem for file in consultation_files(NAMES)] == list(NAMES)
    assert all(file.is_file() for file in consultation_files(NAMES))
