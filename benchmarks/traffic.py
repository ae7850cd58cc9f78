"""Live traffic made of recorded calls: callers who come one after another, each call from a random place on.

A line is one telephone line, say: it is in the middle of a call when measuring begins, and once that call is over
the next one begins. Many lines together are what a service hears.
"""

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, NamedTuple

from benchmarks.calls import Call
from benchmarks.own_words import with_own_words
from streams.messages import CallEnded, Segment

PAUSE_SECONDS: Final = 3.0
"""Between the last segment of a call and the first moment of the next on the same line."""


class Timed(NamedTuple):
    """A message, and when it is due: seconds since measuring began."""

    due: float
    message: Segment | CallEnded


@dataclass(frozen=True, slots=True)
class TelephoneLine:
    """One line's traffic.

    Attributes:
        past: What was said in its first call before measuring began.
        coming: What is said from then on, without end.
    """

    past: Call = field(repr=False)
    coming: Iterator[Timed] = field(repr=False)


def telephone_line(calls: Sequence[Call], name: str, prefix: str = "") -> TelephoneLine:
    """The traffic of one line: the same for the same calls and name.

    Args:
        calls: Recorded calls; which one comes when is random.
        name: Of the line: decides what is random, and is in every call id.
        prefix: Begins every call id.
    """
    chance = random.Random(name)  # noqa: S311 - a simulation that must repeat itself
    first = with_own_words(chance.choice(calls), f"{prefix}{name}-0")
    phase = chance.uniform(0.0, _end(first[-1]))
    past = tuple(takewhile(lambda segment: _end(segment) <= phase, first))
    return TelephoneLine(past, _coming(calls, prefix + name, chance, first[len(past) :], phase))


def interleaved(lines: Sequence[TelephoneLine]) -> Iterator[Timed]:
    """What is said on all lines, in order of time, without end."""
    return heapq.merge(*(line.coming for line in lines), key=lambda timed: timed.due)


def _coming(
    calls: Sequence[Call], name: str, chance: random.Random, first: Call, phase: float
) -> Iterator[Timed]:
    """The rest of the first call, which begins so many seconds before measuring does, then further calls."""
    call, begins, number = first, -phase, 0
    while True:
        now = 0.0
        for segment in call:
            now = max(now, begins + _end(segment))
            yield Timed(now, segment)
        now += PAUSE_SECONDS
        yield Timed(now, CallEnded(call_id=f"{name}-{number}"))
        number += 1
        call, begins = with_own_words(chance.choice(calls), f"{name}-{number}"), now


def _end(segment: Segment) -> float:
    return segment.end or 0.0
