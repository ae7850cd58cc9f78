import pytest

from service.hallucination.loops import Loop, compression_ratio, find_loop


def test_a_phrase_said_over_and_over_is_found_where_it_stands() -> None:
    words = "so i take it and then i take it and then i take it and then i rest".split()

    assert find_loop(words, least_words=8) == Loop(1, 16)


def test_one_word_said_over_and_over_is_a_loop_too() -> None:
    assert find_loop(["okay"] + ["you"] * 12, least_words=8) == Loop(1, 12)


@pytest.mark.parametrize(
    "said",
    [
        "yeah yeah yeah",
        "no no no no no it's not that",
        "okay okay bye bye thank you bye bye bye",
        "i have i have i have this pain",
        "thank you thank you thank you very much",
        "the pain comes and goes and comes and goes",
        "",
        "no",
    ],
)
def test_people_insist_and_stammer(said: str) -> None:
    assert find_loop(said.split(), least_words=8) is None


def test_digits_read_out_are_no_loop() -> None:
    assert (
        find_loop("zero seven seven seven seven seven seven seven seven seven one".split(), least_words=8)
        is None
    )


def test_what_repeats_itself_deflates() -> None:
    assert compression_ratio("and then we went on to the next one " * 20) > 2.4
    assert compression_ratio("") == 0.0
    assert compression_ratio("i have had this headache for about four days now and it will not go away") < 1.5
