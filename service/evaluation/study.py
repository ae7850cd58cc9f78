"""What every part of the report reads: labels, what was measured, and risk by weights fitted without each call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from service.calibration.labelled import Item
from service.evaluation.budget import CleanCalls
from service.evaluation.flags import flags_of
from service.evaluation.folds import Folds
from service.evaluation.forms import Form
from service.evaluation.labels import Labels
from service.evaluation.measured import Measured, Segments
from service.evaluation.measured_segment import MeasuredSegment
from service.evaluation.resampling import Calls, Indices, Vector
from service.monitor_settings import MonitorSettings
from streams.messages import Flag

Measure = Callable[[str, MeasuredSegment], float]
"""A number for a segment, given the call that it comes from: risk, or one signal's."""


@dataclass(frozen=True, slots=True)
class Study:
    """Labels beside what the monitor says.

    Attributes:
        labels: What is known.
        measured: What the monitor says of it, in both forms.
        form: The form of the words that is evaluated.
        folds: The risk model of each call.
        settings: The monitor's.
    """

    labels: Labels
    measured: Measured
    form: Form
    folds: Folds
    settings: MonitorSettings

    def risk(self, call: str, segment: MeasuredSegment) -> float:
        """A segment's risk, from weights that have not seen its call."""
        return self.folds.model(call).risk(segment.features)

    def stretch(self, item: Item) -> Segments:
        """An item's labelled segment and those after it."""
        return self.measured.stretches[self.form][item.segments[-1].call_id]

    def flags_of_stretch(self, item: Item) -> list[tuple[Flag, ...]]:
        """Flags of an item's labelled segment and of those after it."""
        model = self.folds.model(item.source_call)
        spoken = (item.segments[-1], *item.after)
        return flags_of(spoken, self.stretch(item), model, self.settings.flags)

    def flags_of_call(self, call: str, form: Form | None = None) -> list[tuple[Flag, ...]]:
        """Flags of each segment of a clean call."""
        measured = self.measured.calls[form or self.form][call]
        return flags_of(self.labels.calls[call], measured, self.folds.model(call), self.settings.flags)

    def of_impact(self, measure: Measure) -> Vector:
        """A number for every labelled mishearing [items]."""
        return np.array([measure(item.source_call, self.stretch(item)[0]) for item in self.labels.impact])

    def of_injected(self, measure: Measure) -> "InjectedNumbers":
        """A number for every injected error, and for the same segment without it."""

        def numbers(items: Sequence[Item]) -> tuple[Vector, Vector]:
            rows = [[measure(item.source_call, one) for one in self.stretch(item)] for item in items]
            return np.array([row[0] for row in rows]), np.array([max(row) for row in rows])

        altered = numbers([pair.altered for pair in self.labels.injected])
        untouched = numbers([pair.untouched for pair in self.labels.injected])
        return InjectedNumbers(*altered, *untouched)

    def clean_risk(self, form: Form | None = None) -> Vector:
        """Risk of every segment of the clean calls [segments], call by call."""
        return np.array(
            [
                self.risk(call, segment)
                for call, segments in self.measured.calls[form or self.form].items()
                for segment in segments
            ]
        )

    def clean_calls(self, calls: Calls) -> CleanCalls:
        """Clean calls for thresholds; `calls` must hold all of them."""
        lengths = {call: len(segments) for call, segments in self.measured.calls[self.form].items()}
        places: Indices = np.repeat(calls.places(list(lengths)), list(lengths.values()))
        return CleanCalls.of(
            self.clean_risk(), places, np.array([self.minutes(name) for name in calls.names])
        )

    def minutes(self, call: str) -> float:
        """How long a recorded call is; 0 where its segments have no times."""
        segments = self.labels.calls.get(call, ())
        return max((segment.end or 0.0 for segment in segments), default=0.0) / 60.0


@dataclass(frozen=True, slots=True)
class InjectedNumbers:
    """Numbers [items] of the altered segment, of it and the two after it at most, and likewise untouched."""

    altered: Vector
    altered_peak: Vector
    untouched: Vector
    untouched_peak: Vector
