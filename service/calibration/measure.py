"""Runs the monitor over labelled items and clean calls, and takes down what it says of their segments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from service.calibration.examples import Example, ExampleKind
from service.calibration.labelled import Item
from service.monitor import Monitor
from streams.messages import Assessment, Segment, Severity

ITEMS_PER_POLL = 16
"""Items observed together: enough to fill the models' batches."""


@dataclass(frozen=True, slots=True)
class MeasuredFlag:
    """A flag without its words.

    Attributes:
        type: What kind of problem.
        severity: How urgent.
    """

    type: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class MeasuredReading:
    """A signal's raw value and its score, 1 is healthy."""

    value: float
    score: float


@dataclass(frozen=True, slots=True)
class MeasuredSegment:
    """What the monitor says of a segment whatever the risk model's weights: numbers and codes, no text.

    Attributes:
        sequence: The segment's, within its call.
        features: What risk is computed from.
        readings: By signal name; a signal that could not be measured is not there.
        flags: The segment's flags.
    """

    sequence: int
    features: Mapping[str, float]
    readings: Mapping[str, MeasuredReading]
    flags: tuple[MeasuredFlag, ...]


def measure_stretches(items: Iterable[Item], monitor: Monitor) -> Iterator[tuple[MeasuredSegment, ...]]:
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
        yield from (tuple(map(_measured, islice(assessed, 1 + len(item.after)))) for item in poll)


def measure_call(segments: Sequence[Segment], monitor: Monitor) -> tuple[MeasuredSegment, ...]:
    """Every segment of a recorded call, which is forgotten afterwards."""
    observation = monitor.observe(segments, now=0.0)
    monitor.forget([segment.call_id for segment in segments])
    return tuple(map(_measured, observation.assessments))


def measure_items(items: Iterable[Item], monitor: Monitor) -> Iterator[Example]:
    """One example per item, in order: its labelled segment."""
    labelled = [replace(item, after=()) for item in items]
    for item, (measured,) in zip(labelled, measure_stretches(labelled, monitor), strict=True):
        yield labelled_example(item, measured)


def measure_clean_calls(calls: Mapping[str, Sequence[Segment]], monitor: Monitor) -> Iterator[Example]:
    """One harmless example per segment of calls that a person transcribed."""
    for call_id, segments in calls.items():
        for measured in measure_call(segments, monitor):
            yield clean_example(call_id, measured)


def labelled_example(item: Item, measured: MeasuredSegment) -> Example:
    """An item with what was measured of its labelled segment."""
    kind: ExampleKind = "injected" if item.impact is None else "impact"
    return Example(item.source_call, measured.features, item.harmful, kind)


def clean_example(call_id: str, measured: MeasuredSegment) -> Example:
    """A segment of a clean call: harmless."""
    return Example(call_id, measured.features, 0.0, "clean")


def _measured(assessment: Assessment) -> MeasuredSegment:
    return MeasuredSegment(
        sequence=assessment.segment.sequence,
        features=assessment.features,
        readings={
            name: MeasuredReading(reading.value, reading.score)
            for name, reading in assessment.signals.items()
            if reading.value is not None and reading.score is not None
        },
        flags=tuple(MeasuredFlag(flag.type, flag.severity) for flag in assessment.flags),
    )
