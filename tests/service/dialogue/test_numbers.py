import pytest

from service.dialogue.numbers import number_value, spoken_number


@pytest.mark.parametrize(
    ("digits", "spoken"),
    [
        ("0", "zero"),
        ("15", "fifteen"),
        ("42", "forty two"),
        ("120", "one hundred twenty"),
        ("1,000", "one thousand"),
        ("2500", "two thousand five hundred"),
        ("2.5", "two point five"),
        ("07", "zero seven"),
        ("1.2.3", "one two three"),
        ("99999999999", "nine nine nine nine nine nine nine nine nine nine nine"),
    ],
)
def test_digits_are_read_as_they_are_spoken(digits: str, spoken: str) -> None:
    assert " ".join(spoken_number(digits)) == spoken


@pytest.mark.parametrize("value", [0, 7, 19, 20, 21, 99, 100, 101, 110, 999, 1000, 2024, 500_000, 1_000_001])
def test_number_words_give_back_their_value(value: int) -> None:
    assert number_value(spoken_number(str(value))) == value


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("two hundred and fifty", 250),
        ("a hundred", 100),
        ("point five", 0.5),
        ("two point two five", 2.25),
        ("half", 0.5),
        ("a half", 0.5),
    ],
)
def test_spoken_forms_are_understood(words: str, value: float) -> None:
    assert number_value(tuple(words.split())) == pytest.approx(value)


@pytest.mark.parametrize("words", ["", "a", "and", "fever", "two fevers", "two point many"])
def test_other_words_are_no_number(words: str) -> None:
    assert number_value(tuple(words.split())) is None
