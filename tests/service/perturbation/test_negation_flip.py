"""Yes becomes no and back, and the sentence stays grammatical."""

from random import Random

import pytest

from tests.service.perturbation.consultations import TYPES, original
from tests.service.perturbation.test_contract import alterations

FLIP = TYPES["negation_flip"]


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("No.", {"Yes.", "Yeah."}),
        ("no", {"yes", "yeah"}),
        ("Yeah, yeah.", {"No, no."}),
        ("Um, no, not at all.", {"Um, yes.", "Um, yeah."}),
        ("Not that I know of.", {"Yes.", "Yeah."}),
        ("No, I haven't.", {"Yes, I have."}),
        ("Yes, I have.", {"No, I haven't."}),
        ("Yes, I am.", {"No, I am not."}),
        ("No, no fever.", {"Yes, fever.", "Yeah, fever."}),
        ("I haven't had any fever.", {"I have had fever."}),
        ("i havent had any fever at all", {"i have had fever"}),
        ("I don't, I don't have it.", {"I do, I do have it.", "I do, I have it.", "I, I have it."}),
        ("It doesn't hurt either.", {"It does hurt too."}),
        ("It's not going away.", {"It's going away."}),
        ("I never had a rash.", {"I had a rash."}),
        ("There's nothing in it.", {"There's something in it."}),
        ("I can't sleep anymore.", {"I can sleep still."}),
        ("I have an itchy rash.", {"I don't have an itchy rash."}),
        ("I've had a rash.", {"I haven't had a rash."}),
        ("I'm itchy.", {"I'm not itchy."}),
        ("There's a rash here.", {"There isn't a rash here."}),
        ("She has eczema.", {"She doesn't have eczema."}),
    ],
)
def test_it_turns_with_what_agrees_with_it(text: str, turned: set[str]) -> None:
    found = alterations(FLIP, text, seeds=60)

    assert found
    assert found <= turned


@pytest.mark.parametrize(
    "text",
    [
        "No problem, doctor.",
        "I don't know.",
        "I'm not sure.",
        "It comes whether or not I eat.",
        "I have a sister.",
        "Is the rash itchy?",
    ],
)
def test_idioms_questions_and_what_names_no_term_stay(text: str) -> None:
    assert alterations(FLIP, text) == set()


def test_a_yes_is_turned_only_where_it_answers() -> None:
    assert FLIP.alter(original("Yeah.", before="Let me have a look."), Random(0)) is None
    assert FLIP.alter(original("Yeah.", before="Can you hear me?"), Random(0)) is None
    assert FLIP.alter(original("Yeah.", before="Any fever?"), Random(0)) == "No."
