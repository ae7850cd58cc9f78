"""Answers that their question cannot have."""

from pathlib import Path

import pytest

from service.dialogue.answer_fit import fits_question
from service.dialogue.reading import read_line
from tests.service.dialogue.calls import MATCHER, lines_of, recorded_calls

MOST_AN_HOUR = 0.5


def fits(*said: str) -> bool | None:
    lines = lines_of(*said)
    return fits_question(read_line(lines[-1], lines[:-1], MATCHER))


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Have you had any fever?", "About three weeks."),
        ("How long have you had the cough?", "On the left knee."),
        ("Which side is it on?", "Twice a day."),
        ("How many tablets do you take?", "Since about March."),
        ("Where is the pain?", "Every morning."),
    ],
)
def test_an_answer_of_another_kind_does_not_fit(asked: str, answer: str) -> None:
    assert fits(f"C: {asked}", f"P: {answer}") is False


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Have you had any fever?", "For about three weeks."),
        ("Do you smoke?", "Ten a day."),
        ("How long have you had the cough?", "I'm not sure."),
        ("How long have you had the cough?", "Since Monday."),
        ("Which side is it on?", "The left."),
        ("How many tablets do you take?", "It's the small white ones."),
        ("How is the pain?", "It's in my left knee."),
    ],
)
def test_an_answer_that_may_be_one_fits(asked: str, answer: str) -> None:
    assert fits(f"C: {asked}", f"P: {answer}") is True


def test_what_answers_nothing_is_not_judged() -> None:
    assert fits("P: About three weeks.") is None
    assert fits("C: Any fever?", "P: No.", "P: Three weeks.") is None


def test_answers_of_real_calls_fit(shared_data: Path) -> None:
    calls = recorded_calls(shared_data / "primock57")
    misfits = sum(
        fits_question(read_line(line, lines[max(at - 12, 0) : at], MATCHER)) is False
        for lines in calls
        for at, line in enumerate(lines)
    )
    hours = sum((lines[-1].end or 0.0) - (lines[0].start or 0.0) for lines in calls) / 3600

    assert misfits / hours <= MOST_AN_HOUR
