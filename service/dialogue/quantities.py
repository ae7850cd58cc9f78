"""Quantities in speech: "for three or four days", "seventy five milligrams", "twice a day", "the left knee"."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from service.dialogue.number_ranges import VAGUE_NUMBERS, NumberRange, range_at
from service.dialogue.numbers import is_number_word

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
_COUNTED = frozenset(_TIME_UNITS) | frozenset(_AMOUNT_UNITS)
_PERIODS = frozenset("day week month year hour night".split())
_DAY_TIMES = frozenset("morning night evening".split())
_BODY_HEAT = (34.0, 43.0)
_HEAT_REACH = 4
_ONCES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_APPROXIMATE = frozenset(
    "about around roughly approximately nearly almost maybe probably like least over under".split()
)
_BEFORE_LENGTH = frozenset(
    "for about around lasted lasts last past in within after maybe probably over than nearly almost like say been "
    "took takes roughly since".split()
)


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
    return is_number_word(word) or word in _ONCES or word in VAGUE_NUMBERS or word in {"every", "each"}


def _quantity_at(words: Sequence[str], at: int) -> Quantity | None:
    if words[at] in {"every", "each"}:
        daily = at + 1 < len(words) and words[at + 1] in _DAY_TIMES
        return Quantity(at, at + 1, "frequency", "day", 1.0, 1.0, vague=True) if daily else None
    if words[at] in _ONCES:
        return _frequency(words, at, at + 1, _ONCES[words[at]], _ONCES[words[at]])
    number = range_at(words, at, _COUNTED)
    if number is None:
        return None
    end, low, high, vague = number
    vague = vague or (at > 0 and words[at - 1] in _APPROXIMATE)
    if _of_temperature(words, at, low):
        last = end if end < len(words) and words[end].startswith("degree") else end - 1
        return Quantity(at, last, "temperature", "degree", low, high, vague)
    if end < len(words) and words[end] == "of":
        end += 1
    return _measured(words, at, (end, low, high, vague)) if end < len(words) else None


def _measured(words: Sequence[str], at: int, number: NumberRange) -> Quantity | None:
    """The number at `at` with the unit after it."""
    end, low, high, vague = number
    unit = words[end]
    if unit in {"times", "time"}:
        return _frequency(words, at, end + 1, low, high)
    if unit in {"a", "per"} and words[end + 1 : end + 2] == ("day",):
        return _frequency(words, at, end, low, high)
    if unit in _TIME_UNITS:
        return _time(words, at, end, low, high, vague=vague)
    if words[end : end + 3] == ("out", "of", "ten"):
        return Quantity(at, end + 2, "scale", "ten", low, high, vague)
    return next(
        (
            Quantity(at, end, kind, units[unit], low, high, vague)
            for kind, units in _MEASURES
            if unit in units
        ),
        None,
    )


def _of_temperature(words: Sequence[str], at: int, value: float) -> bool:
    """Whether a number just after "temperature" is one: "my temperature was thirty eight point five"."""
    near = words[max(at - _HEAT_REACH, 0) : at]
    return _BODY_HEAT[0] <= value <= _BODY_HEAT[1] and "temperature" in near


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


def unit_asked(words: Sequence[str]) -> tuple[QuantityKind, str] | None:
    """The kind and unit of the number that a question asks for: "how many days", "out of ten", "your temperature"."""
    for at in range(len(words) - 2):
        if words[at] == "how" and words[at + 1] in {"many", "much"}:
            return _counted(words[at + 2 :])
    if "scale" in words or tuple(words[-3:]) == ("out", "of", "ten"):
        return "scale", "ten"
    return (
        ("temperature", "degree")
        if "temperature" in words and words[0] in {"what", "what's", "how"}
        else None
    )


def _counted(words: Sequence[str]) -> tuple[QuantityKind, str] | None:
    unit = words[0]
    if unit in _TIME_UNITS:
        return "time", _TIME_UNITS[unit]
    if unit == "times":
        return ("frequency", "day") if "day" in words else None
    return next(((kind, units[unit]) for kind, units in _MEASURES if unit in units), None)
