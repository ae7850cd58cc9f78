"""Numbers and ranges among spoken words: "three or four", "a couple", "one and a half"."""

from collections.abc import Container, Sequence

from service.dialogue.numbers import is_number_word, number_value

NumberRange = tuple[int, float, float, bool]
"""The word after it, its least and greatest value, and whether it is vague ("a few")."""

VAGUE_NUMBERS = {"couple": (2.0, 3.0), "few": (2.0, 7.0), "several": (3.0, 10.0)}
_JOINS = frozenset("or to and".split())
_LONGEST_NUMBER = 6


def range_at(words: Sequence[str], at: int, units: Container[str] = ()) -> NumberRange | None:
    """The number or range from word `at`; "a" counts as one before one of `units`."""
    number = _number_at(words, at, units)
    if number is None:
        return None
    end, low, high, vague = number
    if vague:
        return end, low, high, True
    join = end
    if join < len(words) and words[join] in _JOINS:
        join += 1
    if join > end or (end < len(words) and is_number_word(words[end])):
        upper = _number_at(words, join, units)
        if upper is not None and not (join > end and words[end] == "and" and not _halves(words, join)):
            if _halves(words, join):
                return upper[0], low + 0.5, high + 0.5, False
            if upper[1] > low:
                return upper[0], low, upper[2], upper[3]
    return end, low, high, False


def _halves(words: Sequence[str], at: int) -> bool:
    return tuple(words[at : at + 2]) == ("a", "half") or words[at] == "half"


def _number_at(words: Sequence[str], at: int, units: Container[str]) -> NumberRange | None:
    if at >= len(words):
        return None
    vague_at = at + 1 if words[at] in {"a", "the"} and at + 1 < len(words) else at
    if words[vague_at] in VAGUE_NUMBERS:
        low, high = VAGUE_NUMBERS[words[vague_at]]
        return vague_at + 1, low, high, True
    if words[at] in {"a", "an"}:
        follow = words[at + 1] if at + 1 < len(words) else ""
        if follow in {"hundred", "thousand"}:
            return (
                at + 2,
                float(number_value(("a", follow)) or 0),
                float(number_value(("a", follow)) or 0),
                False,
            )
        if follow == "half":
            return at + 2, 0.5, 0.5, False
        single = follow in units
        return (at + 1, 1.0, 1.0, False) if single else None
    if words[at] == "half":
        end = at + 2 if words[at + 1 : at + 2] in {("a",), ("an",)} else at + 1
        return end, 0.5, 0.5, False
    return _spoken_number(words, at)


def _spoken_number(words: Sequence[str], at: int) -> NumberRange | None:
    """The longest run of words from `at` that is one number as people count ("three four" is two numbers)."""
    end = at
    while end < min(len(words), at + _LONGEST_NUMBER) and _continues_number(words, at, end):
        end += 1
    value = number_value(tuple(words[at:end])) if end > at else None
    return (end, value, value, False) if value is not None else None


def _continues_number(words: Sequence[str], start: int, at: int) -> bool:
    word = words[at]
    if not is_number_word(word) and word != "point":
        return False
    if at == start:
        return is_number_word(word)
    if word in {"hundred", "thousand", "million", "point"} or "point" in words[start:at]:
        return True
    before = number_value((words[at - 1],))
    value = number_value((word,))
    if words[at - 1] in {"hundred", "thousand", "million"}:
        return True
    return before is not None and value is not None and 20 <= before < 100 and 0 < value < 10
