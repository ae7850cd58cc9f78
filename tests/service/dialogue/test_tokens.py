import pytest

from service.dialogue.tokens import Token, bare, tokenise


@pytest.mark.parametrize(
    ("formatted", "spoken"),
    [
        ("I've had 2 tablets, 500mg each.", "i've had two tablets five hundred milligrams each"),
        ("OK, Dr. Lane?", "okay doctor lane"),
        ("It\u2019s 38.5 \u2013 quite high!", "it's thirty eight point five quite high"),
    ],
)
def test_formatted_and_spoken_text_have_the_same_words(formatted: str, spoken: str) -> None:
    assert bare(tokenise(formatted)) == bare(tokenise(spoken)) == spoken


def test_each_token_knows_the_characters_it_was_written_with() -> None:
    text = "Took 20 mg, today."
    assert [text[token.start : token.end] for token in tokenise(text)] == ["Took", "20", "mg", "today"]


def test_a_number_of_several_words_shares_its_span() -> None:
    assert {(token.start, token.end) for token in tokenise("120")} == {(0, 3)}


def test_words_are_not_shown_in_a_repr() -> None:
    assert "canary" not in repr(Token("canary", 0, 6))
