"""What is lost of terms and values, and what stays."""

from random import Random

import pytest

from service.dialogue.tokens import tokenise
from tests.service.perturbation.consultations import TYPES, original
from tests.service.perturbation.test_contract import alterations


@pytest.mark.parametrize("name", ["censor_medical", "censor_value", "censor_diagnosis"])
def test_words_are_lost_and_none_is_added_or_moved(name: str) -> None:
    for text in (
        "I take amlodipine, 5 mg twice a day, and I have eczema.",
        "a chest infection, two, three days ago",
    ):
        said = [token.text for token in tokenise(text)]
        for altered in alterations(TYPES[name], text):
            left = [token.text for token in tokenise(altered)]
            rest = iter(said)
            assert len(left) < len(said)
            assert all(word in rest for word in left)


def test_a_term_is_lost_as_a_whole_at_times_with_its_article() -> None:
    assert alterations(TYPES["censor_medical"], "I had a chest infection.") == {"I had a.", "I had."}


def test_a_diagnosis_is_a_condition_and_no_drug() -> None:
    found = alterations(TYPES["censor_diagnosis"], "I have eczema and take amlodipine.")

    assert found == {"I have and take amlodipine."}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It started about three days ago.", {"It started ago."}),
        ("it started 3 days ago", {"it started ago"}),
        ("I'm forty years old.", {"I'm old."}),
        ("I take 5 mg of it.", {"I take of it."}),
        ("It hurts three times a day.", {"It hurts a day."}),
        ("I've had it for two to three days.", {"I've had it.", "I've had it for two to."}),
        ("It's been a, it's been a few weeks.", {"It's been a, it's been a."}),
    ],
)
def test_a_value_is_lost_with_its_unit_and_what_leans_on_it(text: str, left: set[str]) -> None:
    assert alterations(TYPES["censor_value"], text) == left


def test_a_bare_number_counts_where_something_was_asked() -> None:
    value = TYPES["censor_value"]

    assert (
        value.alter(original("Maybe seven.", before="How bad is the pain out of ten?"), Random(0)) == "Maybe."
    )
    assert value.alter(original("Flat seven.", before="What is your address?"), Random(0)) is None
    assert value.alter(original("It's zero seven nine.", before="How bad is the pain?"), Random(0)) is None


def test_an_utterance_that_tells_of_a_symptom_is_lost_whole() -> None:
    omission = TYPES["symptom_omission"]

    assert omission.alter(original("No, I've had no fever at all."), Random(0)) == ""
    assert omission.alter(original("Fever?"), Random(0)) is None
    assert omission.alter(original("I live with my sister."), Random(0)) is None
    assert omission.alter(original("Do you think it's a fever?"), Random(0)) is None
