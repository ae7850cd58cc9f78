"""What is understood of the hand-written spoken cases, on the half that rules were developed on and on the other."""

from collections.abc import Callable

import pytest

from tests.service.dialogue.spoken_cases import Case, Half, spoken_cases
from tests.service.dialogue.understanding import Reading, asserted_of, read_case

CASES = spoken_cases()
LEAST = 0.92
LEAST_KEPT = 0.92


def test_there_are_enough_cases_in_both_halves() -> None:
    asserting = [case for case in CASES if asserted_of(case)]

    assert len(asserting) >= 150
    assert len({case.id for case in CASES}) == len(CASES)
    assert min(sum(case.half == half for case in CASES) for half in ("developed", "kept")) >= 100


@pytest.mark.parametrize(("half", "least"), [("developed", LEAST), ("kept", LEAST_KEPT)])
def test_spoken_lines_are_understood(half: Half, least: float) -> None:
    readings = [read_case(case) for case in CASES if case.half == half and asserted_of(case)]
    held = [all(map(reading.holds, asserted_of(reading.case))) for reading in readings]

    assert sum(held) >= least * len(held)


def test_nine_in_ten_spoken_lines_of_all_are_understood() -> None:
    concepts = [reading.holds(one) for reading in map(read_case, CASES) for one in asserted_of(reading.case)]

    assert sum(concepts) >= LEAST * len(concepts)


def _asks(reading: Reading) -> bool:
    asked = {"family": "history"}.get(reading.asks, reading.asks)
    if reading.case.asks == "none-clinical":
        return not any(question.clinical for question in reading.last.questions)
    return asked == reading.case.asks


@pytest.mark.parametrize(
    ("told", "understood"),
    [
        (lambda case: case.asks is not None, _asks),
        (lambda case: case.reply is not None, lambda reading: reading.reply == reading.case.reply),
        (lambda case: case.fits is not None, lambda reading: reading.fits == reading.case.fits),
        (
            lambda case: any(one.value or one.per_day or one.side for one in case.assertions),
            lambda reading: all(map(reading.says_number, reading.case.assertions)),
        ),
    ],
    ids=["what is asked", "what is replied", "whether it fits", "numbers and sides"],
)
def test_questions_answers_and_numbers_are_understood(
    told: Callable[[Case], bool], understood: Callable[[Reading], bool]
) -> None:
    held = [understood(read_case(case)) for case in CASES if told(case)]

    assert sum(held) >= LEAST * len(held)
