"""What the whole pipeline costs a segment beside the five simple forms alone, on the same segments in one run.

    python -m benchmarks.simple_forms [--polls 1,8,64] [--segments 512]

The simple arm computes the published forms of perplexity (of the segment alone), entity validity, contradiction,
embedding drift (cosine of consecutive segments) and speech rate, and no more (`published_forms.py`). The whole arm is
`observe` of the monitor: every default signal, the simple forms among them, flags and risk.

Both run the same graphs through the same runners in the same polls, each with models, caches and lexicon of its own.
Calls are joined midway, so that contexts are long. The arms take turns, block by block, and begin in turn: what slows
the machine slows both.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.calls import Call, in_turn, recordings
from benchmarks.monitors import Timing, measured_monitor, observed, polls
from benchmarks.published_forms import PublishedForms
from benchmarks.results import Row, write_json
from service.composition import Models, open_models
from service.monitor_settings import MonitorSettings
from service.settings import load_settings
from streams.messages import Segment

JOINED_AFTER: Final = 24
"""Segments of each call that are heard, and not assessed, before anything is measured."""
BLOCK: Final = 64
"""Segments after which the other arm has its turn; the largest poll."""
WARM: Final = 2 * BLOCK
"""Segments that are assessed before measuring begins: more than there are calls."""


@dataclass(slots=True)
class Arm:
    """One way to assess segments, and what it has taken.

    Attributes:
        observe: Assesses a poll.
        timing: Of its models.
        cpu: CPU seconds of each block.
        wall: Seconds of each block.
    """

    observe: Callable[[Sequence[Segment]], Any]
    timing: Timing
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def assess(self, block: Sequence[Segment], poll: int) -> None:
        """Assesses a block poll by poll, and notes what it took."""
        cpu, wall = time.process_time(), time.perf_counter()
        for batch in polls(block, poll):
            self.observe(batch)
        self.cpu.append(time.process_time() - cpu)
        self.wall.append(time.perf_counter() - wall)

    def clear(self) -> None:
        """Forgets what it took so far."""
        self.timing.clear()
        self.cpu.clear()
        self.wall.clear()


def simple_arm(settings: MonitorSettings, models: Models, past: Sequence[Segment]) -> Arm:
    """The simple forms, joined to calls of which `past` was said before."""
    timing = Timing()
    forms = PublishedForms(settings, models, timing)
    forms.listen(past)
    return Arm(forms.observe, timing)


def whole_arm(settings: MonitorSettings, models: Models, past: Sequence[Segment]) -> Arm:
    """The whole pipeline, joined to calls of which `past` was said before."""
    timing = Timing()
    monitor = measured_monitor(settings, models, timing)
    monitor.listen(past, 0.0)
    return Arm(partial(observed, monitor), timing)


def compare(simple: Arm, whole: Arm, coming: Sequence[Segment], poll: int) -> Row:
    """Gives both arms the same segments, block by block in turn.

    Args:
        simple: The first arm.
        whole: The second.
        coming: What is said; the first `WARM` segments do not count.
        poll: Segments assessed at once.

    Returns:
        What a segment costs each, in milliseconds, and how many times as much the whole pipeline costs: the ratio of
        the sums, and the median of the blocks' ratios.
    """
    for block in polls(coming[:WARM], BLOCK):
        simple.assess(block, poll)
        whole.assess(block, poll)
    simple.clear()
    whole.clear()
    blocks = list(polls(coming[WARM:], BLOCK))
    for number, block in enumerate(blocks):
        for arm in (simple, whole) if number % 2 else (whole, simple):
            arm.assess(block, poll)
    segments = len(coming) - WARM
    return {
        "poll": poll,
        "segments": segments,
        "cpu_ratio": round(sum(whole.cpu) / sum(simple.cpu), 2),
        "cpu_ratio_median": _median_ratio(whole.cpu, simple.cpu),
        "wall_ratio": round(sum(whole.wall) / sum(simple.wall), 2),
        "wall_ratio_median": _median_ratio(whole.wall, simple.wall),
        "simple": _cost(simple, segments),
        "whole": _cost(whole, segments),
    }


def run(
    settings: MonitorSettings,
    opened: Callable[[], Models],
    calls: Sequence[Call],
    segments: int,
    poll_sizes: Sequence[int],
) -> Iterator[Row]:
    """Compares the arms at every poll size, with fresh models each time: they remember what they were asked.

    Args:
        settings: Of the monitor.
        opened: Opens models.
        calls: What is said.
        segments: How many are measured; rounded up to whole blocks.
        poll_sizes: Segments assessed at once.
    """
    past = [segment for call in calls for segment in call[:JOINED_AFTER]]
    measured = -(-segments // BLOCK) * BLOCK
    coming = list(in_turn([call[JOINED_AFTER:] for call in calls]))[: WARM + measured]
    for poll in poll_sizes:
        simple, whole = simple_arm(settings, opened(), past), whole_arm(settings, opened(), past)
        yield compare(simple, whole, coming, poll)


def _median_ratio(ones: Sequence[float], others: Sequence[float]) -> float:
    return round(median(one / other for one, other in zip(ones, others, strict=True)), 2)


def _cost(arm: Arm, segments: int) -> Mapping[str, float]:
    """Milliseconds of a segment: CPU and clock, and the CPU time of each model and of what is left."""

    def each(seconds: float) -> float:
        return round(1000 * seconds / segments, 2)

    models = {name: taken.cpu for name, taken in arm.timing.models.items()}
    return {
        "cpu_ms": each(sum(arm.cpu)),
        "wall_ms": each(sum(arm.wall)),
        **{f"{name}_cpu_ms": each(cpu) for name, cpu in sorted(models.items())},
        "python_cpu_ms": each(sum(arm.cpu) - sum(models.values())),
    }


def main() -> None:
    """Compares, and writes the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--polls", default="1,8,64", help="poll sizes, comma-separated")
    parser.add_argument("--segments", type=int, default=512, help="that each poll size is measured on")
    parser.add_argument("--output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    settings = load_settings()
    found = recordings()
    rows = []
    for row in run(
        settings.monitor,
        partial(open_models, settings.models),
        found.calls,
        arguments.segments,
        [int(size) for size in arguments.polls.split(",")],
    ):
        sys.stderr.write(f"{row}\n")
        rows.append(row)
    write_json(arguments.output, "simple_forms", rows, found.source)


if __name__ == "__main__":
    main()
