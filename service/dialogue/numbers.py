"""Numbers as they are spoken: "120" is "one hundred twenty", and back."""

import re

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_LARGEST_SPOKEN = 999_999_999
_VALUES = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * (position + 2) for position, word in enumerate(_TENS)
}
_SCALE_WORDS = frozenset(name for _, name in _SCALES)
_SEPARATED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def spoken_number(digits: str) -> tuple[str, ...]:
    """The words of a number written in digits, such as "2.5", "1,000" or "120".

    Anything that is not one number (a version, a date part, a telephone number) is read digit by digit.
    """
    plain = digits.replace(",", "") if _SEPARATED.fullmatch(digits) else digits
    whole, _, fraction = plain.partition(".")
    if not whole.isdecimal() or (fraction and not fraction.isdecimal()) or "," in plain:
        return _digit_by_digit(digits)
    if (len(whole) > 1 and whole[0] == "0") or int(whole) > _LARGEST_SPOKEN:
        return _digit_by_digit(digits)
    spoken = _whole(int(whole))
    return (*spoken, "point", *_digit_by_digit(fraction)) if fraction else spoken


def _digit_by_digit(digits: str) -> tuple[str, ...]:
    return tuple(_SMALL[int(digit)] for digit in digits if digit.isdecimal())


def _whole(value: int) -> tuple[str, ...]:
    if value < 20:
        return (_SMALL[value],)
    if value < 100:
        tens = _TENS[value // 10 - 2]
        return (tens, _SMALL[value % 10]) if value % 10 else (tens,)
    scale, name = next((scale, name) for scale, name in _SCALES if value >= scale)
    head = (*_whole(value // scale), name)
    return (*head, *_whole(value % scale)) if value % scale else head


def is_number_word(word: str) -> bool:
    """Whether a number can hold this word: "seven", "hundred", but neither "a" nor "and"."""
    return word in _VALUES or word in _SCALE_WORDS


def number_value(words: tuple[str, ...]) -> float | None:
    """The value of number words such as ("two", "hundred", "and", "fifty"), or None if they are not one number.

    Understands "a hundred", "point five", "half" and "a half"; a bare "and" or "a" is not a number.
    """
    whole, _, fraction = _partition(words, "point")
    value = _whole_value(whole) if whole or not fraction else 0.0
    if value is None:
        return None
    for place, word in enumerate(fraction, start=1):
        digit = _VALUES.get(word)
        if digit is None or digit > 9:
            return None
        value += digit / 10**place
    return value


def _partition(words: tuple[str, ...], separator: str) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    if separator not in words:
        return words, False, ()
    at = words.index(separator)
    return words[:at], True, words[at + 1 :]


def _whole_value(words: tuple[str, ...]) -> float | None:
    if words in {("half",), ("a", "half")}:
        return 0.5
    total = current = 0.0
    seen = False
    for word in words:
        if word in _VALUES:
            current += _VALUES[word]
        elif word == "a" and not seen:
            current = 1.0
            continue
        elif word == "hundred":
            current = max(current, 1.0) * 100
        elif word in {"thousand", "million"}:
            total += max(current, 1.0) * (1_000 if word == "thousand" else 1_000_000)
            current = 0.0
        elif word == "and" and seen:
            continue
        else:
            return None
        seen = True
    return total + current if seen else None
