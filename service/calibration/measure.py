"""Runs the monitor over labelled items and clean calls, and takes down the features of their segments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from service.calibration.examples import Example, ExampleKind
from service.calibration.labelled import Item
from service.monitor import Monitor
from streams.messages import Assessment, Segment

ITEMS_PER_POLL = 16
"""Items observed together: enough to fill the models' batches."""


def assess_stretches(items: Iterable[Item], monitor: Monitor) -> Iterator[tuple[Assessment, ...]]:
    """For each item, in order, its labelled segment and those after it.

    What comes before the labelled segment is listened to, not assessed; each item's call is forgotten once it is
    measured.
    """
    remaining = iter(items)
    while poll := list(islice(remaining, ITEMS_PER_POLL)):
        for item in poll:
            monitor.listen(item.segments[:-1], now=0.0)
        observation = monitor.observe(
            [segment for item in poll for segment in (item.segments[-1], *item.after)], now=0.0
        )
        monitor.forget([item.segments[-1].call_id for item in poll])
        assessed = iter(observation.assessments)
        yield from (tuple(islice(assessed, 1 + len(item.after))) for item in poll)


def assess_call(segments: Sequence[Segment], monitor: Monitor) -> tuple[Assessment, ...]:
    """Every segment of a recorded call, which is forgotten afterwards."""
    observation = monitor.observe(segments, now=0.0)
    monitor.forget([segment.call_id for segment in segments])
    return observation.assessments


def measure_items(items: Iterable[Item], monitor: Monitor) -> Iterator[Example]:
    """One example per item, in order: its labelled segment."""
    labelled = [replace(item, after=()) for item in items]
    for item, (assessment,) in zip(labelled, assess_stretches(labelled, monitor), strict=True):
        yield labelled_example(item, assessment.features)


def measure_clean_calls(calls: Mapping[str, Sequence[Segment]], monitor: Monitor) -> Iterator[Example]:
    """One harmless example per segment of calls that a person transcribed."""
    for call_id, segments in calls.items():
        for assessment in assess_call(segments, monitor):
            yield clean_example(call_id, assessment.features)


def labelled_example(item: Item, features: Mapping[str, float]) -> Example:
    """An item with the features of its labelled segment."""
    kind: ExampleKind = "injected" if item.impact is None else "impact"
    return Example(item.source_call, features, item.harmful, kind)


def clean_example(call_id: str, features: Mapping[str, float]) -> Example:
    """A segment of a clean call: harmless."""
    return Example(call_id, features, 0.0, "clean")
