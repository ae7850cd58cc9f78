"""`censor_value`: a number, dose or duration is lost. "It started three days ago." becomes "It started ago."."""

from collections.abc import Iterator, Sequence
from random import Random

from service.dialogue.number_ranges import range_at
from service.dialogue.numbers import is_number_word
from service.dialogue.quantities import Quantity, quantities_in
from service.perturbation.base import Original
from service.perturbation.editing import Change, changed

_GOES_ALONG = frozenset("about around roughly approximately for nearly almost over under".split())
_JOINS = frozenset({"or", "to"})
_COUNTS = frozenset({"time", "times"})
_VAGUE_ONE = frozenset({"one", "zero"})
"""Alone they are seldom a number: "the other one", "this one"."""

Words = Sequence[str]
WordSpan = tuple[int, int]


class CensorValue:
    """Drops a number with its unit, in words or digits, and the "about" or "for" that leans on it."""

    name = "censor_value"

    def alter(self, original: Original, rng: Random) -> str | None:
        """The text without one of its values."""
        words = original.said.words
        values = [_lost(words, quantity, rng) for quantity in quantities_in(words)]
        measured = {at for first, last in values for at in range(first, last + 1)}
        if original.answers:
            values += [span for span in _bare_numbers(words) if measured.isdisjoint(span)]
        if not values:
            return None
        first, last = rng.choice(values)
        return changed(original.text, [Change(*original.place(first, last))]) or None


def _lost(words: Words, quantity: Quantity, rng: Random) -> WordSpan:
    """What of a quantity is lost: all of it, or of "two to three days" the second number and the unit."""
    first, last = quantity.first, quantity.last
    if quantity.ago or quantity.kind == "age":
        last -= 1
    if quantity.kind == "frequency":
        last = next((at for at in range(first, last) if words[at] in _COUNTS), last)
    join = next((at for at in range(first + 1, last) if words[at] in _JOINS), None)
    if join is not None and rng.random() < 0.5:
        return join + 1, last
    while first > 0 and words[first - 1] in _GOES_ALONG:
        first -= 1
    return first, last


def _bare_numbers(words: Words) -> Iterator[WordSpan]:
    """Numbers without a unit: a score, a reading. Several in a row are a year or a telephone number."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and is_number_word(words[end]):
            end += 1
        if end - at > 1 or (end > at and words[at] not in _VAGUE_ONE):
            number = range_at(words, at)
            if number is not None and number[0] >= end:
                end = number[0]
                yield at, end - 1
        at = max(end, at + 1)
