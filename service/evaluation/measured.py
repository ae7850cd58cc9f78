"""What the monitor says of everything labelled, in both forms of its words: the slow part, done once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from service.calibration.labelled import Item
from service.calibration.measure import assess_call, assess_stretches
from service.evaluation.forms import FORMS, Form, item_in, segments_in
from service.evaluation.labels import Labels
from service.evaluation.measured_segment import MeasuredSegment, measured_segments
from service.evaluation.signal_record import SignalRecord
from service.monitor import Monitor
from streams.messages import Assessment

Segments = tuple[MeasuredSegment, ...]

Progress = Callable[[int], None]
"""Told how many further stretches and calls have been measured."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured segments. Holds no text.

    Attributes:
        stretches: By form and the stretch's own call id: its labelled segment and those after it.
        calls: By form and call: every segment.
        signals: Which signal gives a feature, by the feature's name.
    """

    stretches: Mapping[Form, Mapping[str, Segments]]
    calls: Mapping[Form, Mapping[str, Segments]]
    signals: Mapping[str, str]


def stretches_to_measure(labels: Labels) -> list[Item]:
    """Every labelled stretch, once."""
    injected = [item for pair in labels.injected for item in (pair.altered, pair.untouched)]
    return [*labels.impact, *injected]


def work(labels: Labels) -> int:
    """How many stretches and calls are to be measured."""
    return len(FORMS) * (len(stretches_to_measure(labels)) + len(labels.calls))


def measure_all(labels: Labels, monitor: Monitor, record: SignalRecord, progress: Progress) -> Measured:
    """Measures all labelled stretches and all calls.

    Args:
        labels: What is to be measured.
        monitor: Built with signals prepared by `record`.
        record: Takes down which signal gives which feature.
        progress: Told of what has been done.
    """
    stretches: dict[Form, Mapping[str, Segments]] = {}
    calls: dict[Form, Mapping[str, Segments]] = {}
    for form in FORMS:
        items = [item_in(form, item) for item in stretches_to_measure(labels)]
        stretches[form] = {
            assessments[0].segment.call_id: _measured(assessments, record)
            for assessments in _counted(assess_stretches(items, monitor), progress)
        }
        spoken = (segments_in(form, segments) for segments in labels.calls.values())
        assessed = _counted((assess_call(segments, monitor) for segments in spoken), progress)
        calls[form] = {
            call: _measured(assessments, record)
            for call, assessments in zip(labels.calls, assessed, strict=True)
        }
    return Measured(stretches, calls, dict(sorted(record.by_feature.items())))


def _measured(assessments: Sequence[Assessment], record: SignalRecord) -> Segments:
    proposals = [record.take_proposals(assessment.segment) for assessment in assessments]
    return measured_segments(assessments, proposals)


def _counted(measured: Iterable[_T], progress: Progress) -> Iterator[_T]:
    for one in measured:
        progress(1)
        yield one
