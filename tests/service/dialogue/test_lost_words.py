"""Time and dose words whose number is missing, and phrases that only look so."""

import pytest

from service.dialogue.lexicon_terms import LexiconTerms
from service.dialogue.lost_words import lost_term
from service.dialogue.reading import read_line
from tests.service.dialogue.calls import bare, kinds_of
from tests.service.moments import LEXICON, line

LOST = {
    "P: It all started ago.": "time ago",
    "C: So for the last you've had very itchy skin.": "time last",
    "C: If it isn't better in the next call us.": "time next",
    "P: I take aspirin, milligrams once a day.": "dose milligrams",
    "P: Maybe five or ago.": "time ago",
    "P: Every two or depends on the day.": "number two",
}
WHOLE = (
    "P: It started three days ago.",
    "P: That was long ago.",
    "P: A while ago.",
    "P: Two and a half weeks ago.",
    "P: For the last few days.",
    "C: For the last 4 days you've had a fever.",
    "P: I've had it in the past.",
    "P: I had that in the last",
    "P: I take 75 mg of aspirin.",
    "C: How many milligrams is that?",
    "P: It was one or the other.",
    "P: Two or three days.",
    "P: Two or so.",
    "C: Over the next couple of days.",
)


@pytest.mark.parametrize(("text", "subject"), LOST.items())
def test_a_missing_number_is_noticed(text: str, subject: str) -> None:
    found = [conflict for _, kind, conflict in kinds_of(text) if kind == "lost_quantity"]

    assert subject in found
    assert kinds_of(*bare([text])) == kinds_of(text)


@pytest.mark.parametrize("text", WHOLE)
def test_a_whole_phrase_is_left_alone(text: str) -> None:
    assert kinds_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "C: Do you have any to any medications?",
        "C: Do you have any either to food or to medications?",
        "C: Okay. Do you have any at all?",
        "P: I was told it is a but it wasn't.",
        "P: They saw the with a camera.",
        "P: I'd say maybe or so.",
        "P: I had an reaction to it.",
        "P: I'm to some antibiotics.",
        "C: And are you to any medications?",
    ],
)
def test_a_missing_noun_is_noticed(text: str) -> None:
    assert [kind for _, kind, _ in kinds_of(text)] == ["lost_term"]


@pytest.mark.parametrize(
    "text",
    [
        "C: Any of those?",
        "P: I had a, a rash.",
        "P: Not any more.",
        "C: Any at all?",
        "P: My and my wife's.",
        "P: For an hour or so.",
        "C: We'll get an MRI and an x-ray.",
        "C: You are to rest.",
        "P: I had hepatitis A for years.",
        "P: I take two twice a day.",
        "P: She's twenty.",
    ],
)
def test_a_determiner_that_is_taken_up_again_is_left_alone(text: str) -> None:
    assert kinds_of(text) == []


@pytest.mark.parametrize(("text", "found"), [("I'm to ibuprofen.", 1), ("I'm to rest.", 0)])
def test_to_be_to_a_drug_is_to_be_allergic_to_it(text: str, found: int) -> None:
    reading = read_line(line(0, ("patient", text)), (), LexiconTerms(LEXICON))

    assert len(list(lost_term(reading))) == found
