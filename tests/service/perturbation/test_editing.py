"""Words leave a text as a recogniser would have written it without them."""

import pytest

from service.perturbation.editing import Change, changed


def without(text: str, words: str) -> str:
    start = text.index(words)
    return changed(text, [Change(start, start + len(words))])


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("I took the aspirin yesterday.", "aspirin", "I took the yesterday."),
        ("My mum has migraines.", "migraines", "My mum has."),
        ("Apart from the eczema, I'm fine.", "eczema", "Apart from the, I'm fine."),
        ("Uh, antihistamines, but no luck.", "antihistamines", "Uh, but no luck."),
        ("Two days ago. So.", "Two days", "Ago. So."),
        ("Sure. Three months, OK.", "Three months", "Sure. OK."),
        ("Thyroid.", "Thyroid", ""),
        ("a week to two weeks' time", "two weeks", "a week to time"),
        ("if a mini-stroke is", "stroke", "if a mini is"),
        ("if a mini-stroke is", "mini", "if a -stroke is"),
    ],
)
def test_spaces_marks_and_capitals_close_up(text: str, words: str, left: str) -> None:
    assert without(text, words) == left


def test_other_words_keep_the_capital_that_begins_a_sentence() -> None:
    assert changed("No. No fever.", [Change(0, 2, "yes")]) == "Yes. No fever."
    assert changed("I take Aspirin.", [Change(7, 14, "insulin")]) == "I take insulin."


def test_i_is_written_as_the_rest_of_the_text_is() -> None:
    assert changed("Now I'm sick.", [Change(4, 7, "i'm not")]) == "Now I'm not sick."
    assert changed("now i'm sick", [Change(4, 7, "i'm not")]) == "now i'm not sick"


def test_several_changes_leave_each_others_places_alone() -> None:
    assert changed(
        "No, I haven't had any.", [Change(0, 2, "yes"), Change(6, 13, "have"), Change(18, 21, "some")]
    ) == ("Yes, I have had some.")
