"""What questions take for granted, and where that was denied."""

import pytest

from service.dialogue.presuppositions import presupposed
from service.dialogue.questions import read_questions
from tests.service.dialogue.calls import MATCHER, bare, kinds_of, lines_of


def taken_for_granted(asked: str) -> list[str]:
    (line,) = lines_of(f"C: {asked}")
    return [
        mention.subject for question in read_questions(line, MATCHER) for mention in presupposed(question)
    ]


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("How long have you had the cough?", "cough"),
        ("How often do you get headaches?", "headache"),
        ("Is the cough worse at night?", "cough"),
        ("When did your fever start?", "fever"),
    ],
)
def test_a_definite_subject_is_taken_for_granted(asked: str, subject: str) -> None:
    assert taken_for_granted(asked) == [subject]


@pytest.mark.parametrize(
    "asked",
    [
        "Do you have a cough?",
        "Any fever or cough?",
        "Have you ever had migraines?",
        "Is it worse if the fever rises?",
    ],
)
def test_what_is_asked_for_is_not(asked: str) -> None:
    assert taken_for_granted(asked) == []


def test_asking_on_about_what_was_denied_is_a_conflict() -> None:
    said = (
        "C: Have you got a cough?",
        "P: No.",
        "C: Any fever?",
        "P: No.",
        "C: How long have you had the cough?",
    )

    assert kinds_of(*said) == [(4, "presupposition_conflict", "cough")]
    assert kinds_of(*bare(said)) == [(4, "presupposition_conflict", "cough")]


def test_asking_about_other_times_does_not_deny_the_present() -> None:
    said = (
        "P: I've got a really bad headache.",
        "C: And normally do you get any headaches?",
        "P: No.",
        "C: So is this headache new to you?",
    )

    assert kinds_of(*said) == []
