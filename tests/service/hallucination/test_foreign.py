import pytest

from service.hallucination.foreign import other_language, other_script


def test_letters_of_another_script_are_found_where_they_stand() -> None:
    assert other_script("okay спасибо bye") == (5, 12)


@pytest.mark.parametrize(
    "text", ["it's 38\u00b0 \u2014 fine", "caf\u00e9", "\U0001f600 \u2019 okay", "5 \u03bcg"]
)
def test_accents_signs_and_a_single_letter_are_no_other_script(text: str) -> None:
    assert other_script(text) is None


@pytest.mark.parametrize("said", ["muchas gracias por ver el video", "das ist nicht so schlimm und ich"])
def test_another_language_is_known_by_its_frequent_words(said: str) -> None:
    assert other_language(said.split())


@pytest.mark.parametrize(
    "said", ["i had a taco con carne and it was fine", "he has von willebrand", "die", ""]
)
def test_english_with_foreign_words_is_english(said: str) -> None:
    assert not other_language(said.split())
