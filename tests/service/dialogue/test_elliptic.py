"""Answers that leave words to their question."""

import pytest

from service.dialogue.reading import LineReading, read_line
from tests.service.dialogue.calls import MATCHER, lines_of


def reading_of(*said: str) -> LineReading:
    lines = lines_of(*said)
    return read_line(lines[-1], lines[:-1], MATCHER)


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("How bad is the pain?", "Maybe a seven.", ("scale", "ten", 7)),
        ("How many days have you had it?", "Ten.", ("time", "day", 10)),
        ("How many milligrams do you take?", "Twenty five.", ("dose", "milligram", 25)),
        ("How many times a day?", "Six, I'd say.", ("frequency", "day", 6)),
    ],
)
def test_a_number_takes_its_unit_from_the_question(
    asked: str, answer: str, expected: tuple[str, str, float]
) -> None:
    (quantity,) = reading_of(f"C: {asked}", f"P: {answer}").quantities

    assert (quantity.kind, quantity.unit, quantity.low) == expected


def test_a_number_with_a_unit_of_its_own_keeps_it() -> None:
    (quantity,) = reading_of("C: How many days have you had it?", "P: Two weeks.").quantities

    assert (quantity.unit, quantity.low) == ("week", 2)


def test_a_number_after_another_question_is_none() -> None:
    assert reading_of("C: Any fever?", "P: One of my friends had.").quantities == ()


def test_a_side_takes_its_place_from_the_question() -> None:
    (side,) = reading_of("C: Is it the left knee or the right knee?", "P: The left.").sides

    assert (side.place, side.side) == ("knee", "left")


def test_right_as_in_okay_is_no_side() -> None:
    assert reading_of("C: Any fever?", "P: Right.").sides == ()
