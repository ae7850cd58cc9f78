"""Yes, no, partly and unknown, as people say them."""

import pytest

from service.dialogue.answers import answer_by_sound, read_answer
from service.dialogue.preference import bare_against_preference, preferred_answer
from service.dialogue.questions import read_questions
from service.dialogue.tokens import tokenise
from service.dialogue.wording import wording
from tests.service.dialogue.calls import MATCHER, lines_of

POLARITIES = {
    "Yeah.": "yes",
    "Yes, I do.": "yes",
    "Yep, that's right.": "yes",
    "Um, yeah, yeah.": "yes",
    "Of course.": "yes",
    "I think so.": "yes",
    "It is, yeah.": "yes",
    "I do, yes.": "yes",
    "Well, yes.": "yes",
    "No.": "no",
    "Nope.": "no",
    "Yeah no.": "no",
    "Yeah, no, I haven't.": "no",
    "Not really.": "no",
    "No, not that I know of.": "no",
    "Not that I'm aware of.": "no",
    "I don't think so.": "no",
    "Um, no, I don't think so.": "no",
    "Haven't had any.": "no",
    "I haven't, no.": "no",
    "None of that.": "no",
    "Nothing like that.": "no",
    "Not at all.": "no",
    "Never.": "no",
    "Oh no.": "no",
    "Not anymore.": "no",
    "Just a bit.": "partial",
    "Yeah, a little bit.": "partial",
    "Sometimes.": "partial",
    "Now and then.": "partial",
    "Yes, occasionally.": "partial",
    "No, not necessarily.": "partial",
    "Kind of.": "partial",
    "I don't know.": "unknown",
    "I'm not sure.": "unknown",
    "Yeah, I don't know.": "unknown",
    "Can't remember.": "unknown",
    "Maybe.": "unknown",
    "It's hard to say.": None,
    "My stomach hurts.": None,
    "About three days ago.": None,
    "": None,
}


@pytest.mark.parametrize(("text", "polarity"), POLARITIES.items())
def test_the_polarity_of_an_answer(text: str, polarity: str | None) -> None:
    answer = read_answer(wording(tokenise(text)).words)

    assert (answer and answer.polarity) == polarity


@pytest.mark.parametrize(
    ("text", "polarity"),
    [("Mm-hmm.", "yes"), ("mhm", "yes"), ("Uh-huh", "yes"), ("Uh-uh.", "no"), ("Mm", None)],
)
def test_an_answer_that_is_only_a_sound(text: str, polarity: str | None) -> None:
    answer = answer_by_sound(tokenise(text))

    assert (answer and answer.polarity) == polarity


def test_what_follows_the_answer_is_left_to_explain_it() -> None:
    words = wording(tokenise("Um, no, I don't think so, just a cough.")).words
    answer = read_answer(words)

    assert answer is not None
    assert words[answer.words :] == ("just", "a", "cough")


@pytest.mark.parametrize(
    ("asked", "preferred"),
    [
        ("Any chest pain?", "no"),
        ("Have you ever had a stroke?", "no"),
        ("Are you eating OK?", "yes"),
        ("So you've had it for four days.", "yes"),
        ("Can you hear me?", "yes"),
        ("Any questions for me?", "no"),
        ("Do you smoke?", None),
        ("When did it start?", None),
    ],
)
def test_the_answer_that_a_question_is_built_to_hear(asked: str, preferred: str | None) -> None:
    *_, question = read_questions(lines_of(f"C: {asked}")[0], MATCHER)

    assert preferred_answer(question) == preferred


@pytest.mark.parametrize(
    ("said", "expected"), [("Yes.", True), ("No.", False), ("Yes, since I climbed the stairs.", False)]
)
def test_a_bare_answer_against_the_preference_stands_out(said: str, expected: bool) -> None:
    (question,) = read_questions(lines_of("C: Any chest pain?")[0], MATCHER)
    words = wording(tokenise(said)).words

    assert bare_against_preference(read_answer(words), question, len(words)) is expected
