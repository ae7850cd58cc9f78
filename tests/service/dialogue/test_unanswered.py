"""Clinical questions that the transcript leaves unanswered."""

from dataclasses import replace
from pathlib import Path

import pytest

from service.dialogue.lines import Line
from service.dialogue.questions import read_questions
from service.dialogue.unanswered import Unanswered, unanswered_question
from tests.service.dialogue.calls import MATCHER, lines_of, recorded_calls

MOST_AN_HOUR = 2.0


def timed(*said: tuple[float, float, str]) -> list[Line]:
    lines = lines_of(*(text for _, _, text in said))
    return [replace(line, start=start, end=end) for line, (start, end, _) in zip(lines, said, strict=True)]


def shown_by(lines: list[Line]) -> str | None:
    found = unanswered_question(lines[-1], lines[:-1], MATCHER)
    return None if found is None else found.shown_by


@pytest.mark.parametrize(
    ("later", "evidence"),
    [
        ("C: No, OK. What about any cough?", "taken_up"),
        ("C: And when did the cough start?", "asked_on"),
        ("C: We'll get you in for an examination.", "silence"),
    ],
)
def test_going_on_after_a_pause_shows_that_an_answer_is_missing(later: str, evidence: str) -> None:
    lines = timed((0, 2, "C: Have you had any chest pain?"), (5, 7, later))

    assert shown_by(lines) == evidence


def test_what_was_asked_and_the_silence_are_told() -> None:
    lines = timed((0, 2, "C: Do you have any allergies?"), (5, 7, "C: OK, thank you."))

    found = unanswered_question(lines[1], lines[:1], MATCHER)

    assert isinstance(found, Unanswered)
    assert (found.question.kind, found.question.sequence, found.silence) == ("allergy", 0, 3.0)


def test_a_follow_up_that_needs_a_yes_shows_that_one_was_given() -> None:
    lines = timed((0, 2, "C: Do you drink alcohol?"), (4, 6, "C: How much alcohol do you drink?"))

    assert shown_by(lines) == "asked_on"


def test_a_hesitation_or_a_call_is_no_answer() -> None:
    lines = timed(
        (0, 2, "C: Any fever?"), (3, 3.2, "P: Um"), (4, 4.2, "P: Hello?"), (6, 7, "C: OK. Do you smoke?")
    )

    assert shown_by(lines) == "taken_up"


def test_without_times_only_taking_an_answer_up_counts() -> None:
    assert shown_by(lines_of("C: Any fever?", "C: Right, OK. Do you smoke?")) == "taken_up"
    assert shown_by(lines_of("C: Any fever?", "C: Do you smoke?")) is None


@pytest.mark.parametrize(
    "said",
    [
        ((0, 2, "C: Any fever?"), (3, 3.4, "P: No."), (5, 7, "C: OK. Do you smoke?")),
        ((0, 2, "C: Any fever?"), (3, 3.4, "P: Mm-hmm."), (5, 7, "C: OK. Do you smoke?")),
        ((0, 2, "C: Any fever?"), (2.3, 4, "C: Do you smoke?")),
        ((0, 2, "C: Any fever?"), (5, 7, "C: Have you had any fever?")),
        ((0, 2, "C: Do you have any allergies?"), (6, 7, "C: Hello?")),
        ((0, 2, "C: Any allergies?"), (4, 7, "C: Any allergies to any medicines at all?")),
        ((0, 2, "C: Can you confirm your name?"), (5, 7, "C: OK. How can I help?")),
        ((0, 2, "C: So you've had it for a week."), (5, 7, "C: OK. Any fever?")),
        ((0, 2, "C: Any fever?"), (5, 7, "P: Sorry, what did you say?")),
        ((0, 2, "P: Do I need to take them with food?"), (5, 7, "C: OK. Any fever?")),
    ],
    ids=[
        "answered",
        "answered by a sound",
        "the same turn",
        "asked again",
        "calling",
        "asked more narrowly",
        "not clinical",
        "no question",
        "a patient's line",
        "a patient's question",
    ],
)
def test_a_question_that_is_answered_or_still_open_is_left_alone(
    said: tuple[tuple[float, float, str], ...],
) -> None:
    assert shown_by(timed(*said)) is None


def test_hardly_any_question_of_a_real_call_seems_unanswered(shared_data: Path) -> None:
    calls = recorded_calls(shared_data / "primock57")
    found = sum(
        unanswered_question(line, lines[max(at - 12, 0) : at], MATCHER) is not None
        for lines in calls
        for at, line in enumerate(lines)
    )
    hours = sum((lines[-1].end or 0.0) - (lines[0].start or 0.0) for lines in calls) / 3600

    assert found / hours <= MOST_AN_HOUR


def test_most_answers_taken_out_of_a_real_call_are_missed(shared_data: Path) -> None:
    missed = []
    for lines in recorded_calls(shared_data / "primock57"):
        for at, (asked, answer, later) in enumerate(zip(lines, lines[1:], lines[2:], strict=False)):
            if not (_asks(asked) and answer.speaker == "patient" and later.speaker == "clinician"):
                continue
            if answer.spoken and later.spoken and later.spoken[0].text in {"okay", "right", "alright"}:
                until = lines[max(at - 8, 0) : at + 1]
                missed.append(unanswered_question(later, until, MATCHER) is not None)
                assert unanswered_question(later, [*until, answer], MATCHER) is None

    assert len(missed) > 100
    assert sum(missed) >= 0.9 * len(missed)


def _asks(line: Line) -> bool:
    questions = read_questions(line, MATCHER) if line.speaker == "clinician" else ()
    return bool(questions) and questions[-1].clinical and questions[-1].form != "statement"
