import pytest

from models.lexicon.letter_sounds import sounds_of_letters
from models.lexicon.phonemes import LETTERS, VOWELS, sounds
from models.lexicon.pronunciation import pronounce

DICTIONARY = {
    "color": "k@l@r", "itch": "itS", "vomit": "vam@t", "breast": "brest", "bone": "bOn", "wheeze": "wIz",
    "sprain": "sprEn", "estrogen": "estr@dZ@n", "cramp": "krAmp",
}  # fmt: skip


def test_no_letter_stands_for_two_sounds() -> None:
    assert len(set(LETTERS.values())) == len(LETTERS)
    assert set(LETTERS.values()) >= VOWELS


def test_affricates_and_the_r_coloured_vowel_are_two_sounds() -> None:
    assert sounds(["CH", "ER1", "JH"]) == "tS@rdZ"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("vomit", "vam@t"),
        ("colour", "k@l@r"),
        ("oestrogen", "estr@dZ@n"),
        ("itchy", "itSI"),
        ("itches", "itSiz"),
        ("cramps", "krAmps"),
        ("sprains", "sprEnz"),
        ("wheezing", "wIziN"),
        ("breastbone", "brestbOn"),
    ],
)
def test_an_unlisted_word_sounds_like_its_listed_parts(word: str, expected: str) -> None:
    assert pronounce(word, DICTIONARY) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("metformin", "metformin"),
        ("amlodipine", "AmlOdipIn"),
        ("zopiclone", "zOpiklOn"),
        ("xarelto", "zAreltO"),
        ("gastroscopy", "gAstrask@pI"),
        ("tonsillitis", "tansilYt@s"),
        ("ecg", "IsIdZI"),
        ("\u00e9", ""),
    ],
)
def test_a_word_without_known_parts_sounds_as_it_is_spelled(word: str, expected: str) -> None:
    assert pronounce(word, {}) == expected


def test_every_letter_sequence_gives_known_sounds() -> None:
    for word in ("qqx", "rhythm", "phlegm", "yyy", "aeiou" * 50, "knee", "xylose"):
        assert set(sounds_of_letters(word)) <= set(LETTERS.values())
