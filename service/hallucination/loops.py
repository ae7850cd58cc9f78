"""Loops: a recogniser that repeats itself. Log-probability misses them, since a loop is highly probable.

Also the compression ratio that is published for this (Radford et al., "Robust Speech Recognition via Large-Scale Weak
Supervision", 2023: text that deflates by more than 2.4 is suspect).
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq

from service.dialogue.numbers import is_number_word

LONGEST_PHRASE = 10
"""Words of the longest phrase whose repetition is looked for."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A phrase said over and over: words `first` to `last` (inclusive) repeat it."""

    first: int
    last: int


def find_loop(words: Sequence[str], *, least_words: int, least_times: int = 3) -> Loop | None:
    """The first run of immediate repetitions that takes `least_words` or more; None without one.

    People stammer and insist ("no no no no"), and read numbers out digit by digit: these are no loops.

    Args:
        words: Canonical words, hesitations left out.
        least_words: Of the whole run.
        least_times: How often the phrase must be said.
    """
    for length in range(1, min(LONGEST_PHRASE, len(words) // least_times) + 1):
        repeats = max(least_words - length, (least_times - 1) * length)
        shifted = words[length:]
        if sum(map(eq, shifted, words)) < repeats:
            continue
        run = 0
        for at, same in enumerate((*map(eq, shifted, words), False)):
            if same:
                run += 1
                continue
            if run >= repeats and not all(map(is_number_word, words[at - 1 : at - 1 + length])):
                return Loop(at - run, at - 1 + length)
            run = 0
    return None


def compression_ratio(text: str) -> float:
    """Bytes of the text over bytes of the text deflated; 0 of an empty text."""
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0
