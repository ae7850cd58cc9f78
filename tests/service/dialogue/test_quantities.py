"""Durations, doses, frequencies and sides in spoken words."""

import pytest

from service.dialogue.mentions import places_among
from service.dialogue.quantities import quantities_in
from service.dialogue.sides import Side, sides_in
from service.dialogue.tokens import tokenise
from service.dialogue.wording import wording
from tests.service.dialogue.calls import MATCHER

QUANTITIES = {
    "for the last 4 days": [("time", "day", 4.0, 4.0)],
    "for three or four days": [("time", "day", 3.0, 4.0)],
    "for the last three four days": [("time", "day", 3.0, 4.0)],
    "two to three weeks ago": [("time", "week", 2.0, 3.0)],
    "a couple of days": [("time", "day", 2.0, 3.0)],
    "a few weeks ago": [("time", "week", 2.0, 7.0)],
    "about a month and a half": [("time", "month", 1.5, 1.5)],
    "two and a half years": [("time", "year", 2.5, 2.5)],
    "for a week or two": [("time", "week", 1.0, 2.0)],
    "half an hour": [("time", "hour", 0.5, 0.5)],
    "a fortnight ago": [("time", "week", 2.0, 2.0)],
    "75 mg once a day": [("dose", "milligram", 75.0, 75.0), ("frequency", "day", 1.0, 1.0)],
    "2.5 milligrams": [("dose", "milligram", 2.5, 2.5)],
    "five hundred milligrams twice daily": [
        ("dose", "milligram", 500.0, 500.0),
        ("frequency", "day", 2.0, 2.0),
    ],
    "three times a day": [("frequency", "day", 3.0, 3.0)],
    "one tablet for 3 days": [("amount", "tablet", 1.0, 1.0), ("time", "day", 3.0, 3.0)],
    "ten cigarettes a day": [("amount", "cigarette", 10.0, 10.0)],
    "I'm thirty five years old": [("age", "year", 35.0, 35.0)],
    "eight out of ten": [("scale", "ten", 8.0, 8.0)],
    "it was 38.5 degrees": [("temperature", "degree", 38.5, 38.5)],
    "call nine nine nine": [],
    "one of my sisters": [],
    "once I got home": [],
}


@pytest.mark.parametrize(("text", "expected"), QUANTITIES.items())
def test_quantities_are_read_from_words_and_digits(
    text: str, expected: list[tuple[str, str, float, float]]
) -> None:
    found = quantities_in(wording(tokenise(text)).words)

    assert [(one.kind, one.unit, one.low, one.high) for one in found] == expected


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("three days", "3 days", True),
        ("three days", "four days", False),
        ("three or four days", "four days", True),
        ("a few days", "four days", True),
        ("about ten days", "twelve days", True),
        ("fifteen milligrams", "fifty milligrams", False),
        ("two weeks", "ten days", True),
        ("twice a day", "twice a week", True),
    ],
)
def test_quantities_agree_unless_no_number_fits_both(one: str, other: str, agree: bool) -> None:
    first, second = (quantities_in(wording(tokenise(text)).words)[0] for text in (one, other))

    assert first.agrees(second) is agree
    assert second.agrees(first) is agree


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my left knee", [("knee", "left")]),
        ("on the right hand side", [("side", "right")]),
        ("the left lower leg", [("leg", "left")]),
        ("right, my knee hurts", []),
        ("I'm fine right now", []),
        ("it left a mark", []),
    ],
)
def test_sides_are_told_from_right_as_in_okay(text: str, expected: list[tuple[str, str]]) -> None:
    found = _sides(wording(tokenise(text)).words)

    assert [(side.place, side.side) for side in found] == expected


def _sides(words: tuple[str, ...]) -> tuple[Side, ...]:
    return sides_in(words, places_among(MATCHER.match(words)))
