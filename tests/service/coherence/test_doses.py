import pytest

from service.coherence.doses import implausible_doses, only_drug
from service.coherence.facts import UsualDose, usual_doses, usual_uses

USUAL = usual_doses()


def judged(text: str, drug_before: str | None = None) -> list[tuple[str, str, str]]:
    words = text.split()
    return [
        (" ".join(words[one.first : one.last + 1]), one.drug, one.reason)
        for one in implausible_doses(words, USUAL, drug_before)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "i take metformin five hundred milligrams twice a day",
        "i take an aspirin seventy five milligrams once a day",
        "paracetamol one gram four times a day",
        "levothyroxine fifty micrograms once a day",
        "five hundred milligrams of amoxicillin three times a day",
        "i have had ibuprofen a couple of times a day for a few days",
        "methotrexate fifteen milligrams once a week",
        "i take metformin",
        "five thousand milligrams",
        "the metformin i have had for ten years and i weigh five hundred grams of nothing at all",
    ],
)
def test_usual_doses_and_doses_of_unknown_drugs_pass(text: str) -> None:
    assert judged(text) == []


@pytest.mark.parametrize(
    ("text", "said", "reason"),
    [
        ("metformin five thousand milligrams", "five thousand milligrams", "dose_too_high"),
        ("i take five grams of ibuprofen", "five grams", "dose_too_high"),
        ("amlodipine fifty milligrams", "fifty milligrams", "dose_too_high"),
        ("paracetamol five milligrams", "five milligrams", "dose_too_low"),
        ("levothyroxine fifty milligrams", "fifty milligrams", "dose_too_high"),
        ("metformin two grams four times a day", "two grams", "daily_dose_too_high"),
        ("i take metformin once a week", "once a week", "weekly_instead_of_daily"),
    ],
)
def test_doses_and_frequencies_that_nobody_takes_are_found(text: str, said: str, reason: str) -> None:
    assert [(words, why) for words, _, why in judged(text)] == [(said, reason)]


def test_a_dose_is_of_the_nearest_drug() -> None:
    assert judged("ramipril five milligrams and metformin five milligrams") == [
        ("five milligrams", "metformin", "dose_too_low")
    ]


def test_a_dose_without_a_drug_is_of_the_drug_spoken_of_before() -> None:
    assert judged("five thousand milligrams", "metformin") == [
        ("five thousand milligrams", "metformin", "dose_too_high")
    ]
    assert only_drug("how much metformin do you take".split(), USUAL) == "metformin"
    assert only_drug("metformin and ramipril".split(), USUAL) is None


def test_a_number_that_sounds_alike_and_is_usual_is_suggested() -> None:
    (found,) = implausible_doses("meloxicam fifty milligrams".split(), USUAL)

    assert found.suggestion == "fifteen milligrams"
    (found,) = implausible_doses("amlodipine ninety milligrams".split(), USUAL)
    assert found.suggestion is None


def test_neither_drug_nor_suggestion_shows_in_a_repr() -> None:
    (found,) = implausible_doses("meloxicam fifty milligrams".split(), USUAL)

    assert "meloxicam" not in repr(found)
    assert "fifteen" not in repr(found)


def test_the_tables_of_facts_hold_together() -> None:
    for name, dose in USUAL.items():
        assert 0 < dose.least <= dose.most <= dose.daily, name
    assert all(usual_uses().values())
    assert USUAL["nurofen"] == USUAL["ibuprofen"]
    assert isinstance(USUAL["semaglutide"], UsualDose)
    assert USUAL["semaglutide"].weekly
