"""Whether a segment costs the same with many open calls, and late in a long one; and what an open call costs in memory.

    python -m benchmarks.scaling calls [--counts 10,100,500,2000]
    python -m benchmarks.scaling length

Arms differ in nothing else. With more calls, the same words, in polls of the same make-up, come from more of them; the
others are open and have a full context. Late in a call, the same words come after more of them: a call of an hour is
made of pieces of twelve calls, and twelve such calls, each of the same pieces in another order, have each piece once at
every place.
"""

import argparse
import dataclasses
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle, islice, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Final

from benchmarks.arms import ArmResult, Plan, measure_arms
from benchmarks.calls import Call, recordings
from benchmarks.own_words import with_own_words
from benchmarks.results import write_json
from streams.messages import Segment

VOICES: Final = 10
"""Calls that speak in turns; how many there are at least."""

OFFSETS: Final = 40
"""Segments that each of them says while it is measured."""

PAST_SEGMENTS: Final = 48
"""What was said before: as much as the monitor remembers."""

BLOCKS: Final = 10
PIECES: Final = 12
PIECE_SECONDS: Final = 300.0
MEASURED_OF_PIECE: Final = 24
MINUTES: Final = {5: 0, 20: 3, 40: 7, 60: 11}
"""The piece of an hour that ends at the minute."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One arm beside the first.

    Attributes:
        arm: How many calls, or which minute.
        open_calls: Calls that were followed.
        segments: Measured.
        cpu_ms: CPU time of a segment.
        wall_ms: Time of a segment.
        cpu_ratio: To the first arm's CPU time: the median over blocks that have the same words.
        wall_ratio: The same of the time.
        resident_mb: Memory of the process.
    """

    arm: int
    open_calls: int
    segments: int
    cpu_ms: float
    wall_ms: float
    cpu_ratio: float
    wall_ratio: float
    resident_mb: float


def chained(calls: Sequence[Call]) -> Iterator[Segment]:
    """Calls one after another as one call without end."""
    sequence, begins = 0, 0.0
    for call in cycle(calls):
        for segment in call:
            start, end = ((time or 0.0) + begins for time in (segment.start, segment.end))
            yield replace(segment, sequence=sequence, start=start, end=end)
            sequence += 1
        begins += call[-1].end or 0.0


def plan_calls(calls: Sequence[Call], count: int) -> Plan:
    """So many open calls, the same words whatever their number.

    Each voice says the same sequence of words; with more calls it is split over more of them, each of which has heard
    what came before. Calls beyond one a segment only listen.
    """
    groups = count // VOICES
    each = -(-OFFSETS // groups)
    past: list[Segment] = []
    warm: list[Segment] = []
    said: dict[tuple[int, int], Segment] = {}
    for voice in range(VOICES):
        words = tuple(islice(chained(_rotated(calls, voice)), PAST_SEGMENTS + OFFSETS))
        for group in range(groups):
            call = with_own_words(words, f"voice-{voice}-{group}")
            first = group * each % OFFSETS
            *before, last = call[first : first + PAST_SEGMENTS]
            past += before
            warm.append(last)
            if group * each < OFFSETS:
                offsets = range(first, min(first + each, OFFSETS))
                said.update({(at, voice): call[PAST_SEGMENTS + at] for at in offsets})
    measured = [said[at] for at in sorted(said)]
    return Plan(past, warm, _blocks(measured, BLOCKS))


def plan_minute(calls: Sequence[Call], minute: int) -> Plan:
    """Calls of an hour up to a minute at which a piece ends; the end of that piece is measured."""
    pieces = [_piece(_rotated(calls, at)) for at in range(PIECES)]
    past: list[Segment] = []
    warm: list[Segment] = []
    measured: list[tuple[int, Call]] = []
    for rotation in range(PIECES):
        order = _rotated(pieces, rotation)
        heard = tuple(islice(chained(order), sum(map(len, order[: MINUTES[minute] + 1]))))
        call = with_own_words(heard, f"rotation-{rotation}")
        *before, last = call[:-MEASURED_OF_PIECE]
        past += before
        warm.append(last)
        # In the order of the pieces: the same words in the same polls, whatever the minute.
        measured.append(((rotation + MINUTES[minute]) % PIECES, call[-MEASURED_OF_PIECE:]))
    turns = chain.from_iterable(zip(*(call for _, call in sorted(measured, key=itemgetter(0))), strict=True))
    return Plan(past, warm, _blocks(list(turns), BLOCKS))


def _piece(calls: Sequence[Call]) -> Call:
    return tuple(takewhile(lambda segment: (segment.end or 0.0) <= PIECE_SECONDS, chained(calls)))


def _rotated(calls: Sequence[Call], by: int) -> list[Call]:
    by %= len(calls)
    return [*calls[by:], *calls[:by]]


def _blocks(segments: Sequence[Segment], count: int) -> list[Sequence[Segment]]:
    size = len(segments) // count
    return [segments[start : start + size] for start in range(0, size * count, size)]


def compare(results: Mapping[int, ArmResult]) -> list[Comparison]:
    """Every arm beside the first."""
    first = next(iter(results.values()))
    return [_beside(first, arm, result) for arm, result in results.items()]


def _beside(first: ArmResult, arm: int, result: ArmResult) -> Comparison:
    pairs = list(zip(result.blocks, first.blocks, strict=True))
    return Comparison(
        arm=arm,
        open_calls=result.open_calls,
        segments=result.segments,
        cpu_ms=round(1000 * sum(block.cpu for block in result.blocks) / result.segments, 2),
        wall_ms=round(1000 * sum(block.wall for block in result.blocks) / result.segments, 2),
        cpu_ratio=round(statistics.median(block.cpu / beside.cpu for block, beside in pairs), 3),
        wall_ratio=round(statistics.median(block.wall / beside.wall for block, beside in pairs), 3),
        resident_mb=round(result.resident_mb),
    )


def megabytes_per_call(comparisons: Sequence[Comparison]) -> tuple[float, float]:
    """Memory as a straight line over the number of calls (least squares): MB without any, and MB of each."""
    slope, fixed = statistics.linear_regression(
        [one.open_calls for one in comparisons], [one.resident_mb for one in comparisons]
    )
    return fixed, slope


def run(kind: str, calls: Sequence[Call], counts: Sequence[int]) -> list[Comparison]:
    """Measures the cost against the number of calls, or against the length of one."""
    make, arms = (plan_calls, counts) if kind == "calls" else (plan_minute, tuple(MINUTES))
    plans: dict[str, Callable[[], Plan]] = {str(arm): partial(make, calls, arm) for arm in arms}
    return compare({int(name): result for name, result in measure_arms(plans).items()})


def main() -> None:
    """Measures and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kind", choices=("calls", "length"))
    parser.add_argument("--counts", default="10,100,500,2000", help="open calls, comma-separated, tens each")
    parser.add_argument("--output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    found = recordings()
    counts = [int(count) for count in arguments.counts.split(",")]
    if any(count < VOICES or count % VOICES for count in counts):
        parser.error(f"--counts: each must be a multiple of {VOICES}")
    compared = run(arguments.kind, found.calls, counts)
    rows = [dataclasses.asdict(one) for one in compared]
    if arguments.kind == "calls" and len(compared) > 1:
        fixed, each = megabytes_per_call(compared)
        rows.append({"fixed_mb": round(fixed), "mb_per_call": round(each, 2)})
    write_json(arguments.output, f"scaling_{arguments.kind}", rows, found.source)


if __name__ == "__main__":
    main()
