"""Hesitations and stammered repeats are left out, and every word keeps its characters."""

from service.dialogue.tokens import tokenise
from service.dialogue.wording import wording


def test_hesitations_and_repeats_are_left_out() -> None:
    said = wording(tokenise("Um, I, I had I had a, a fever."))

    assert said.words == ("i", "had", "a", "fever")


def test_numbers_are_never_taken_for_repeats() -> None:
    assert wording(tokenise("nine nine nine")).words == ("nine", "nine", "nine")


def test_words_keep_the_characters_they_were_written_with() -> None:
    text = "So, um, no no FEVER."
    said = wording(tokenise(text))

    assert text[slice(*said.span(1, 2))] == "no no FEVER"


def test_bare_and_formatted_forms_agree() -> None:
    assert wording(tokenise("No, I'm OK: 120 mg.")).words == wording(tokenise("no i'm okay 120 mg")).words
