"""What the whole pipeline costs a segment, by poll size, model and Python, on calls that run side by side.

    python -m benchmarks.pipeline [--polls 1,3,8,32,128] [--calls 12] [--segments 256]

`observe` of the monitor alone, without a broker. Every poll size is given the same traffic: calls joined midway, each
with what was said before, so that contexts are as full as they are in service. CPU time counts all threads.
"""

import argparse
import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.calls import Call, recordings
from benchmarks.distribution import percentile
from benchmarks.monitors import FIVE_SIGNALS, Message, Timing, measured_monitor, observed, polls
from benchmarks.results import write_json
from benchmarks.traffic import Timed, interleaved, telephone_line
from service.composition import Models, open_models
from service.monitor import Monitor
from service.monitor_settings import MonitorSettings
from service.settings import load_settings
from streams.messages import Segment

WARM_POLL: Final = 32
POLL_SHARES: Final = {"p50": 0.5, "p99": 0.99, "max": 1.0}


@dataclass(frozen=True, slots=True)
class Traffic:
    """What every arm is given.

    Attributes:
        past: What was said in the open calls before; taken in, not assessed.
        warm: The last segments before measuring; assessed, not measured.
        measured: What is measured.
    """

    past: tuple[Segment, ...] = field(repr=False)
    warm: tuple[Segment, ...] = field(repr=False)
    measured: tuple[Message, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a segment costs, in milliseconds.

    Attributes:
        signals: `five` or `all`.
        poll: Segments observed at once.
        segments: How many were measured.
        cpu_ms: CPU time.
        wall_ms: Time.
        segments_per_second: By the clock.
        python_cpu_ms: CPU time outside of the models.
        python_share: The same as a share of `cpu_ms`.
        models_cpu_ms: CPU time of each model, its tokeniser and batching included.
        items: How many texts or pairs each model is asked about.
        poll_ms: Percentiles of the time of a whole poll, by name: p50, p99 and max.
    """

    signals: str
    poll: int
    segments: int
    cpu_ms: float
    wall_ms: float
    segments_per_second: float
    python_cpu_ms: float
    python_share: float
    models_cpu_ms: dict[str, float]
    items: dict[str, float]
    poll_ms: dict[str, float]


def traffic(calls: Sequence[Call], lines: int, segments: int, arm: str) -> Traffic:
    """So many calls at once, each joined midway, and the next so many segments of all.

    Two arms are given the same calls at the same moments, under other names and with words of their own.
    """
    joined = [telephone_line(calls, f"line-{number}", arm) for number in range(lines)]
    past = [line.past for line in joined if line.past]
    return Traffic(
        past=tuple(segment for before in past for segment in before[:-1]),
        warm=tuple(before[-1] for before in past),
        measured=tuple(timed.message for timed in _until(interleaved(joined), segments)),
    )


def measure(monitor: Monitor, timing: Timing, given: Traffic, signals: str, poll: int) -> Cost:
    """Measures one arm with a monitor of its own."""
    monitor.listen(given.past, 0.0)
    for warm in polls(given.warm, WARM_POLL):
        observed(monitor, warm)
    timing.clear()
    cpu = time.process_time()
    taken = [_seconds(monitor, batch) for batch in polls(given.measured, poll)]
    segments = sum(isinstance(message, Segment) for message in given.measured)
    return cost(signals, poll, segments, time.process_time() - cpu, taken, timing)


def cost(signals: str, poll: int, segments: int, cpu: float, taken: Sequence[float], timing: Timing) -> Cost:
    """The cost of a segment.

    Args:
        signals: Which.
        poll: Segments observed at once.
        segments: How many were measured.
        cpu: CPU seconds that they took together.
        taken: Seconds of each poll.
        timing: What of this the models took.
    """
    python = cpu - sum(model.cpu for model in timing.models.values())

    def each(seconds: float) -> float:
        return round(1000 * seconds / segments, 3)

    return Cost(
        signals=signals,
        poll=poll,
        segments=segments,
        cpu_ms=each(cpu),
        wall_ms=each(sum(taken)),
        segments_per_second=round(segments / sum(taken), 1),
        python_cpu_ms=each(python),
        python_share=round(python / cpu, 4),
        models_cpu_ms={name: each(model.cpu) for name, model in timing.models.items()},
        items={name: round(model.items / segments, 2) for name, model in timing.models.items()},
        poll_ms={name: round(1000 * percentile(taken, share), 1) for name, share in POLL_SHARES.items()},
    )


def run(
    settings: MonitorSettings, models: Models, given: Callable[[str], Traffic], poll_sizes: Sequence[int]
) -> Iterator[Cost]:
    """Measures every poll size, with the five signals and with all."""
    for poll in poll_sizes:
        for name, signals in (("five", FIVE_SIGNALS), ("all", ())):
            timing = Timing()
            monitor = measured_monitor(settings, models, timing, signals)
            yield measure(monitor, timing, given(f"{name}-{poll}"), name, poll)


def _seconds(monitor: Monitor, poll: Sequence[Message]) -> float:
    began = time.perf_counter()
    observed(monitor, poll)
    return time.perf_counter() - began


def _until(coming: Iterator[Timed], segments: int) -> Iterator[Timed]:
    """All up to the given number of segments, the ends of calls between them included."""
    left = segments
    for timed in coming:
        yield timed
        left -= isinstance(timed.message, Segment)
        if left == 0:
            return


def main() -> None:
    """Measures and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--polls", default="1,3,8,32,128", help="poll sizes, comma-separated")
    parser.add_argument("--calls", type=int, default=12, help="calls side by side")
    parser.add_argument(
        "--segments", type=int, default=256, help="segments that each poll size is measured on"
    )
    parser.add_argument("--output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    settings = load_settings()
    found = recordings()
    given = partial(traffic, found.calls, arguments.calls, arguments.segments)
    sizes = [int(size) for size in arguments.polls.split(",")]
    rows = []
    for result in run(settings.monitor, open_models(settings.models), given, sizes):
        sys.stderr.write(f"{result}\n")
        rows.append(dataclasses.asdict(result))
    write_json(arguments.output, "pipeline", rows, found.source)


if __name__ == "__main__":
    main()
