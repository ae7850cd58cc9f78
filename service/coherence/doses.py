"""Doses as they are said, and whether they are plausible for the drug they are said of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.coherence.facts import UsualDose
from service.dialogue.numbers import number_value
from service.dialogue.quantities import Quantity, quantities_in

_MILLIGRAMS = {"milligram": 1.0, "microgram": 0.001, "gram": 1000.0}
_WORDS_BEFORE, _WORDS_AFTER = 8, 4
"""How far before and after a dose its drug may be said."""
_LONGEST_NAME = 2
_TOO_MUCH, _TOO_LITTLE = 1.5, 0.4
"""Beyond these multiples of what is usual a dose is implausible; short of them a prescriber may have reasons."""
_SOUND_ALIKE = dict(
    zip(
        "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        "thirty forty fifty sixty seventy eighty ninety".split(),
        strict=True,
    )
)
_SOUND_ALIKE |= {ten: teen for teen, ten in _SOUND_ALIKE.items()}


@dataclass(frozen=True, slots=True)
class Implausible:
    """A dose or frequency that hardly anybody takes.

    Attributes:
        first: First word of the dose or frequency.
        last: Its last word (inclusive).
        reason: `dose_too_high`, `dose_too_low`, `daily_dose_too_high` or `weekly_instead_of_daily`.
        drug: The drug, as it was said.
        suggestion: A dose that sounds alike and is usual, or None.
    """

    first: int
    last: int
    reason: str
    drug: str = field(repr=False)
    suggestion: str | None = field(default=None, repr=False)


def implausible_doses(
    words: Sequence[str], usual: Mapping[str, UsualDose], drug_before: str | None = None
) -> list[Implausible]:
    """The implausible doses and frequencies of a line.

    Args:
        words: The line's words.
        usual: Usual doses by name of drug.
        drug_before: The drug that the lines just before spoke of: a dose without a drug is of that one.
    """
    drugs = _drugs(words, usual)
    quantities = quantities_in(tuple(words))
    found = (_judge(words, quantity, quantities, drugs, usual, drug_before) for quantity in quantities)
    return [one for one in found if one is not None]


def only_drug(words: Sequence[str], usual: Mapping[str, UsualDose]) -> str | None:
    """The drug that a line speaks of, where it is exactly one."""
    names = {name for _, name in _drugs(words, usual)}
    return next(iter(names)) if len(names) == 1 else None


def _drugs(words: Sequence[str], usual: Mapping[str, UsualDose]) -> list[tuple[int, str]]:
    return [
        (at, name)
        for at in range(len(words))
        for count in range(1, _LONGEST_NAME + 1)
        if (name := " ".join(words[at : at + count])) in usual and at + count <= len(words)
    ]


def _judge(
    words: Sequence[str],
    quantity: Quantity,
    quantities: Sequence[Quantity],
    drugs: Sequence[tuple[int, str]],
    usual: Mapping[str, UsualDose],
    drug_before: str | None,
) -> Implausible | None:
    if quantity.kind not in {"dose", "frequency"}:
        return None
    drug = _drug_of(quantity, drugs) if drugs else drug_before
    if drug is None:
        return None
    reason = _reason(quantity, quantities, usual[drug])
    if reason is None:
        return None
    suggestion = _suggestion(words, quantity, quantities, usual[drug])
    return Implausible(quantity.first, quantity.last, reason, drug, suggestion)


def _drug_of(quantity: Quantity, drugs: Sequence[tuple[int, str]]) -> str | None:
    near = [
        (quantity.first - at if at < quantity.first else 2 * (at - quantity.last), name)
        for at, name in drugs
        if quantity.first - _WORDS_BEFORE <= at <= quantity.last + _WORDS_AFTER
    ]
    return min(near)[1] if near else None


def _reason(quantity: Quantity, quantities: Sequence[Quantity], usual: UsualDose) -> str | None:
    if quantity.kind == "frequency":
        weekly = quantity.unit == "week" and quantity.high <= 1
        return "weekly_instead_of_daily" if weekly and not usual.weekly else None
    scale = _MILLIGRAMS.get(quantity.unit)
    if scale is None or quantity.vague:
        return None
    low, high = quantity.low * scale, quantity.high * scale
    if low > _TOO_MUCH * usual.most:
        return "dose_too_high"
    if high < _TOO_LITTLE * usual.least:
        return "dose_too_low"
    return (
        "daily_dose_too_high" if low * _times_a_day(quantity, quantities) > _TOO_MUCH * usual.daily else None
    )


def _times_a_day(dose: Quantity, quantities: Sequence[Quantity]) -> float:
    after = (
        one for one in quantities if one.kind == "frequency" and one.unit == "day" and one.first > dose.last
    )
    following = next(after, None)
    return 1.0 if following is None or following.first - dose.last > _WORDS_AFTER else following.low


def _suggestion(
    words: Sequence[str], quantity: Quantity, quantities: Sequence[Quantity], usual: UsualDose
) -> str | None:
    """The same dose with one number exchanged for its sound-alike, if that makes it usual."""
    said = tuple(words[quantity.first : quantity.last])
    for at, word in enumerate(said):
        other = _SOUND_ALIKE.get(word)
        if other is None:
            continue
        heard = (*said[:at], other, *said[at + 1 :])
        value = number_value(heard)
        if value is None:
            continue
        exchanged = Quantity(quantity.first, quantity.last, quantity.kind, quantity.unit, value, value)
        if _reason(exchanged, quantities, usual) is None:
            return " ".join((*heard, words[quantity.last]))
    return None
