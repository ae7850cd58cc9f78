"""Arms of a comparison: one process each, measured in turns, so that whatever slows the machine slows all alike."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.monitors import Timing, measured_monitor, observed, polls
from benchmarks.process_usage import resident_megabytes
from service.composition import open_models
from service.settings import load_settings
from streams.messages import Segment

POLL = 8
"""Segments observed at once."""

CACHED_TOKENS_OF_CALL = 200
"""Room in the language model's cache for each call. With less than its calls need, any number of them costs more."""

WARM_POLL = 32
"""Segments observed at once while calls are opened: nothing is measured yet."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an arm is given.

    Attributes:
        past: Taken into the calls without being assessed.
        warm: Assessed, not measured: afterwards every open call has its context.
        blocks: Measured one by one, in turns with the other arms'.
    """

    past: Sequence[Segment] = field(repr=False)
    warm: Sequence[Segment] = field(repr=False)
    blocks: Sequence[Sequence[Segment]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class BlockCost:
    """CPU seconds and seconds that a block took."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What an arm came to.

    Attributes:
        open_calls: Calls that were followed while it was measured.
        resident_mb: Memory of its process once all calls were open.
        blocks: In order; block n of one arm has the same words as block n of another.
        segments: Of all blocks.
    """

    open_calls: int
    resident_mb: float
    blocks: tuple[BlockCost, ...]
    segments: int


@dataclass(frozen=True, slots=True)
class _Ready:
    """What an arm says once its calls are open."""

    open_calls: int
    resident_mb: float
    blocks: int
    segments: int


def measure_arms(plans: Mapping[str, Callable[[], Plan]]) -> dict[str, ArmResult]:
    """Measures all arms, block by block in turns.

    Args:
        plans: Makes the plan of each arm, in the arm's own process; can be pickled.
    """
    with _processes(plans) as arms:
        ready: dict[str, _Ready] = {name: arm.recv() for name, arm in arms.items()}
        costs: dict[str, list[BlockCost]] = {name: [] for name in arms}
        for _ in range(min(one.blocks for one in ready.values())):
            for name, arm in arms.items():
                arm.send(True)
                costs[name].append(arm.recv())
        return {
            name: ArmResult(one.open_calls, one.resident_mb, tuple(costs[name]), one.segments)
            for name, one in ready.items()
        }


@contextmanager
def _processes(plans: Mapping[str, Callable[[], Plan]]) -> Iterator[dict[str, "Connection[bool, Any]"]]:
    context = multiprocessing.get_context("spawn")
    arms = {}
    started = []
    try:
        for name, plan in plans.items():
            arms[name], theirs = context.Pipe()
            process = context.Process(target=_arm, args=(theirs, plan), daemon=True)
            process.start()
            theirs.close()
            started.append(process)
        yield arms
    finally:
        for arm in arms.values():
            arm.close()
        for process in started:
            process.terminate()
            process.join()


def _arm(parent: "Connection[Any, bool]", make_plan: Callable[[], Plan]) -> None:
    """The life of one arm: joins its calls, says that it is ready, and measures a block whenever it is told to."""
    plan = make_plan()
    settings = load_settings()
    calls = len({segment.call_id for segment in plan.warm})
    room = max(settings.models.cached_tokens, calls * CACHED_TOKENS_OF_CALL)
    models = open_models(settings.models.model_copy(update={"cached_tokens": room}))
    monitor = measured_monitor(settings.monitor, models, Timing())
    monitor.listen(plan.past, 0.0)
    for poll in polls(plan.warm, WARM_POLL):
        observed(monitor, poll)
    segments = sum(map(len, plan.blocks))
    parent.send(_Ready(monitor.open_calls, resident_megabytes(os.getpid()), len(plan.blocks), segments))
    for block in plan.blocks:
        parent.recv()
        cpu, wall = time.process_time(), time.perf_counter()
        for poll in polls(block, POLL):
            observed(monitor, poll)
        parent.send(BlockCost(time.process_time() - cpu, time.perf_counter() - wall))
