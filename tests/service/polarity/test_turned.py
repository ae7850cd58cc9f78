"""The other answer, and the places where a negation may have been lost."""

import pytest

from service.polarity.turned import turned_answer, with_negations


def _turned(text: str) -> list[str]:
    words = text.split()
    return [" ".join([*words[: one.first], *one.put_in, *words[one.end :]]) for one in with_negations(words)]


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("no", ["yes", "yeah"]),
        ("nope none", ["yes none", "yeah none"]),
        ("yes i do", ["no i do"]),
        ("okay yeah", ["okay no"]),
    ],
)
def test_an_answer_is_turned_into_the_usual_words_of_the_other(text: str, opposite: list[str]) -> None:
    words = text.split()
    turned = turned_answer(words)

    assert turned is not None
    assert [
        " ".join([*words[: one.first], *one.put_in, *words[one.end :]]) for one in turned.opposite
    ] == opposite


@pytest.mark.parametrize(("said", "same"), [("yes", ["yeah"]), ("yeah", ["yes"]), ("yep", ["yes", "yeah"])])
def test_another_word_for_the_same_answer_is_no_other_answer(said: str, same: list[str]) -> None:
    turned = turned_answer([said])

    assert turned is not None
    assert [one.put_in[0] for one in turned.same] == same


@pytest.mark.parametrize("text", ["", "my head hurts", "since yesterday yes", "oh well so right i mean yes"])
def test_what_does_not_open_with_yes_or_no_is_no_answer(text: str) -> None:
    assert turned_answer(text.split()) is None


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("i do know it", ["i don't know it"]),
        ("i think so", ["i don't think so"]),
        ("i have a fever", ["i don't have a fever"]),
        ("i have had a look", ["i haven't had a look"]),
        ("i have checked", ["i haven't checked"]),
        ("i am sure", ["i am not sure"]),
        ("i'm well", ["i'm not well"]),
        ("i've slept", ["i haven't slept"]),
        ("no really", ["no not really"]),
        ("that i know of", ["not that i know of", "that i don't know of"]),
    ],
)
def test_a_negation_is_put_in_where_english_takes_one(text: str, negated: list[str]) -> None:
    assert _turned(text) == negated


@pytest.mark.parametrize("text", ["i'm not well", "i do not know", "my head hurts", "i don't know", ""])
def test_what_is_denied_or_takes_no_negation_is_left_alone(text: str) -> None:
    assert _turned(text) == []
