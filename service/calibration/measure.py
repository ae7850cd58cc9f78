"""Runs the monitor over labelled items and clean calls, and takes down the features of their segments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from service.calibration.examples import Example
from service.calibration.labelled import Item
from service.monitor import Monitor
from streams.messages import Segment

ITEMS_PER_POLL = 16
"""Items observed together: enough to fill the models' batches."""


def measure_items(items: Iterable[Item], monitor: Monitor, weights: Mapping[str, float]) -> Iterator[Example]:
    """One example per item, in order.

    Args:
        items: Labelled stretches of calls.
        monitor: Follows them; each item's call is forgotten once it is measured.
        weights: How much an item of each kind counts; 1 for a kind that is not named.
    """
    remaining = iter(items)
    while poll := list(islice(remaining, ITEMS_PER_POLL)):
        features = _features(poll, monitor)
        for item in poll:
            labelled = item.segments[-1]
            yield Example(
                item.source_call, features[labelled.call_id], item.harmful, weights.get(item.kind, 1.0)
            )


def _features(poll: Sequence[Item], monitor: Monitor) -> dict[str, Mapping[str, float]]:
    """Features of the last segment of each item, by the item's own call id."""
    for item in poll:
        monitor.listen(item.segments[:-1], now=0.0)
    observation = monitor.observe([item.segments[-1] for item in poll], now=0.0)
    monitor.forget([item.segments[-1].call_id for item in poll])
    return {assessment.segment.call_id: assessment.features for assessment in observation.assessments}


def measure_clean_calls(
    calls: Mapping[str, Sequence[Segment]], monitor: Monitor, weight: float
) -> Iterator[Example]:
    """One harmless example per segment of calls that a person transcribed."""
    for call_id, segments in calls.items():
        observation = monitor.observe(segments, now=0.0)
        monitor.forget([call_id])
        for assessment in observation.assessments:
            yield Example(call_id, assessment.features, 0.0, weight)
