"""Quantities in speech: "for three or four days", "seventy five milligrams", "twice a day", "the left knee"."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from service.dialogue.numbers import is_number_word, number_value

QuantityKind = Literal["time", "clock_time", "frequency", "dose", "amount", "age", "scale", "temperature"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity.

    Attributes:
        first: First word.
        last: Last word (inclusive).
        kind: What it measures. `time` is a length of time, whether "for" or "ago".
        unit: In the singular ("day", "milligram", "tablet"); "day" for times a day.
        low: Least value.
        high: Greatest value; equal to `low` unless a range was said.
        vague: Whether it was not said exactly ("a few", "about"): it agrees with what is near.
        ago: Whether it says when something began or was, rather than how long it took.
    """

    first: int
    last: int
    kind: QuantityKind
    unit: str
    low: float = field(repr=False)
    high: float = field(repr=False)
    vague: bool = False
    ago: bool = False

    def agrees(self, other: "Quantity") -> bool:
        """Whether both can be true of one thing; quantities of different units always can."""
        if (self.kind, self.unit) != (other.kind, other.unit):
            return True
        margin = _VAGUE_MARGIN if self.vague or other.vague else 1.0
        return self.low <= other.high * margin and other.low <= self.high * margin


_VAGUE_MARGIN = 2.0
_TIME_UNITS = {
    form: name
    for name in ("second", "minute", "hour", "day", "night", "week", "month", "year")
    for form in (name, f"{name}s")
}
_TIME_UNITS["fortnight"] = "fortnight"
_DOSE_UNITS = {
    form: form.rstrip("s")
    for form in ("milligrams", "micrograms", "grams", "gram", "millilitres", "mils", "units")
}
_AMOUNT_UNITS = {
    form: form.rstrip("s")
    for form in (
        "tablets tablet pills pill puffs puff capsules capsule cigarettes cigarette drops drop sprays spray spoons "
        "pints pint glasses doses sachets sachet packs pack stone pounds kilograms".split()
    )
}
_MEASURES: tuple[tuple[QuantityKind, dict[str, str]], ...] = (
    ("dose", _DOSE_UNITS),
    ("amount", _AMOUNT_UNITS),
    ("temperature", {"degrees": "degree", "degree": "degree"}),
)
_PERIODS = frozenset("day week month year hour night".split())
_ONCES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_VAGUE_NUMBERS = {"couple": (2.0, 3.0), "few": (2.0, 7.0), "several": (3.0, 10.0)}
_APPROXIMATE = frozenset(
    "about around roughly approximately nearly almost maybe probably like least over under".split()
)
_BEFORE_LENGTH = frozenset(
    "for about around lasted lasts last past in within after maybe probably over than nearly almost like say been "
    "took takes roughly since".split()
)
_JOINS = frozenset("or to and".split())
_LONGEST_NUMBER = 6


def quantities_in(words: Sequence[str]) -> tuple[Quantity, ...]:
    """All quantities with a unit, in order."""
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        quantity = _quantity_at(words, at) if _may_begin(words, at) else None
        if quantity is not None:
            found.append(quantity)
            at = quantity.last
        at += 1
    return tuple(found)


def _may_begin(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if word in {"a", "an", "half"}:
        return at == 0 or words[at - 1] not in {"and", "a"}
    return is_number_word(word) or word in _ONCES or word in _VAGUE_NUMBERS


def _quantity_at(words: Sequence[str], at: int) -> Quantity | None:
    if words[at] in _ONCES:
        return _frequency(words, at, at + 1, _ONCES[words[at]], _ONCES[words[at]])
    number = _range_at(words, at)
    if number is None:
        return None
    end, low, high, vague = number
    vague = vague or (at > 0 and words[at - 1] in _APPROXIMATE)
    if end < len(words) and words[end] == "of":
        end += 1
    if end >= len(words):
        return None
    unit = words[end]
    if unit in {"times", "time"}:
        return _frequency(words, at, end + 1, low, high)
    if unit in _TIME_UNITS:
        return _time(words, at, end, low, high, vague=vague)
    if words[end : end + 3] == ("out", "of", "ten"):
        return Quantity(at, end + 2, "scale", "ten", low, high, vague)
    for kind, units in _MEASURES:
        if unit in units:
            return Quantity(at, end, kind, units[unit], low, high, vague)
    return None


def _time(
    words: Sequence[str], first: int, last: int, low: float, high: float, *, vague: bool
) -> Quantity | None:
    unit = _TIME_UNITS[words[last]]
    after = words[last + 1 : last + 3]
    if after[:1] == ("old",) or after == ("of", "age"):
        return Quantity(first, last + 1, "age", unit, low, high)
    if (
        words[first] in {"a", "an"}
        and first
        and words[first - 1] not in _BEFORE_LENGTH
        and after[:1] != ("ago",)
    ):
        return None
    if unit == "fortnight":
        unit, low, high = "week", 2 * low, 2 * high
    if after == ("or", "two"):
        last, high = last + 2, 2.0
    elif after == ("and", "a") and words[last + 3 : last + 4] == ("half",):
        last, low, high = last + 3, low + 0.5, high + 0.5
    ago = words[last + 1 : last + 2] == ("ago",)
    return Quantity(first, last + ago, "time", unit, low, high, vague, ago)


def _frequency(words: Sequence[str], first: int, at: int, low: float, high: float) -> Quantity | None:
    """A count "a day", "per week", "every month", "daily", after which the words may end."""
    rest = tuple(words[at : at + 2])
    if len(rest) == 2 and rest[0] in {"a", "per", "every", "each"} and rest[1] in _PERIODS:
        return Quantity(first, at + 1, "frequency", rest[1], low, high)
    if rest[:1] in {("daily",), ("weekly",), ("monthly",)}:
        return Quantity(
            first, at, "frequency", {"daily": "day", "weekly": "week", "monthly": "month"}[rest[0]], low, high
        )
    return None


def _range_at(words: Sequence[str], at: int) -> tuple[int, float, float, bool] | None:
    """A number or range from `at`: where it ends, its bounds, whether it is vague."""
    number = _number_at(words, at)
    if number is None:
        return None
    end, low, high, vague = number
    if vague:
        return end, low, high, True
    join = end
    if join < len(words) and words[join] in _JOINS:
        join += 1
    if join > end or (end < len(words) and is_number_word(words[end])):
        upper = _number_at(words, join)
        if upper is not None and not (join > end and words[end] == "and" and not _halves(words, join)):
            if _halves(words, join):
                return upper[0], low + 0.5, high + 0.5, False
            if upper[1] > low:
                return upper[0], low, upper[2], upper[3]
    return end, low, high, False


def _halves(words: Sequence[str], at: int) -> bool:
    return tuple(words[at : at + 2]) == ("a", "half") or words[at] == "half"


def _number_at(words: Sequence[str], at: int) -> tuple[int, float, float, bool] | None:
    if at >= len(words):
        return None
    vague_at = at + 1 if words[at] in {"a", "the"} and at + 1 < len(words) else at
    if words[vague_at] in _VAGUE_NUMBERS:
        low, high = _VAGUE_NUMBERS[words[vague_at]]
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
        single = follow in _TIME_UNITS or follow in _AMOUNT_UNITS
        return (at + 1, 1.0, 1.0, False) if single else None
    if words[at] == "half":
        end = at + 2 if words[at + 1 : at + 2] in {("a",), ("an",)} else at + 1
        return end, 0.5, 0.5, False
    return _spoken_number(words, at)


def _spoken_number(words: Sequence[str], at: int) -> tuple[int, float, float, bool] | None:
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
