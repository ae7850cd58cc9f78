"""Terms become other words of nearly the same sounds, and never a form of themselves."""

import pytest

from models.lexicon import Lexicon
from service.perturbation.same_word import same_word
from service.perturbation.sound_alikes import SoundAlikes
from tests.service.perturbation.consultations import LEXICON, TYPES
from tests.service.perturbation.test_contract import alterations

HOMOPHONE = TYPES["medical_homophone"]


def test_a_term_becomes_common_words_that_sound_like_it() -> None:
    assert alterations(HOMOPHONE, "It's a rash.") == {"It's a crash."}
    assert "My head key is back." in alterations(HOMOPHONE, "My headache is back.", seeds=100)


def test_a_drug_becomes_another_drug_too() -> None:
    assert alterations(HOMOPHONE, "I take amlodipine.") == {
        "I take amiloride.",
        "I take amitriptyline.",
    }


def test_known_confusions_come_first() -> None:
    assert SoundAlikes(LEXICON).drugs("amlodipine")[0] == "amiloride"
    assert SoundAlikes(LEXICON).drugs("amiloride")[0] == "amlodipine"


def test_a_contracted_verb_stays() -> None:
    assert alterations(HOMOPHONE, "The rash's gone.") == {"The crash's gone."}


def test_rare_words_and_forms_of_the_word_itself_are_never_heard() -> None:
    heard = SoundAlikes(LEXICON).words("itchy")

    assert heard
    assert "itch" not in heard
    assert "head ache" not in SoundAlikes(LEXICON).words("headache")
    assert all("hurdle" not in SoundAlikes(LEXICON).words(word) for word in ("headache", "hurdles"))


def test_what_recognisers_mask_is_never_heard() -> None:
    masked = Lexicon(
        {
            "date": "",
            "sources": [],
            "suggested": [],
            "terms": {},
            "sounds": {"tits": "tits", "fitting": "fitiN", "hitting": "hitiN", "fits": "fits"},
            "commonness": {"tits": 80, "hitting": 75, "fits": 70},
            "confusable": [],
        }
    )

    assert SoundAlikes(masked).words("fitting")[0] == "hitting"
    assert not any(
        "tits" in heard for word in ("fits", "fitting") for heard in SoundAlikes(masked).words(word)
    )


def test_no_hearing_is_offered_twice() -> None:
    for word in ("itchy", "headache", "chest"):
        heard = SoundAlikes(LEXICON).words(word)
        assert len(set(heard)) == len(heard)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("itchy", "itching"),
        ("headache", "head ache"),
        ("diarrhoea", "diarrhea"),
        ("vomiting", "vomited"),
        ("swollen", "swelling"),
        ("allergies", "allergic"),
        ("pain", "painful"),
        ("steroid cream", "steroid"),
    ],
)
def test_forms_of_one_word_are_known(one: str, other: str) -> None:
    assert same_word(one, other)
    assert same_word(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("weight", "wait"), ("rash", "crash"), ("chest", "test"), ("heel", "heal")]
)
def test_other_words_are_other_words(one: str, other: str) -> None:
    assert not same_word(one, other)
