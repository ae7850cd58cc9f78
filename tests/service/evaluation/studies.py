"""Small studies of invented calls, whose one feature `x` is the log-odds of risk."""

from collections.abc import Mapping, Sequence

from service.calibration.labelled import Item
from service.evaluation.folds import Folds, same_for_all
from service.evaluation.labels import Injected, Labels
from service.evaluation.measured import Measured
from service.evaluation.measured_segment import MeasuredProposal, MeasuredReading, MeasuredSegment
from service.evaluation.study import Study
from service.monitor_settings import MonitorSettings
from service.risk import FeatureWeight, RiskModel, RiskWeights
from service.signals.base import FlagType
from streams.messages import Segment, Severity

IDENTITY = RiskModel(
    RiskWeights(
        intercept=0.0,
        features={"x": FeatureWeight(weight=1.0, center=0.0, scale=1.0, low=-99.0, high=99.0)},
        fitted_on={},
        alert_risk=1.0,
        review_risk=1.0,
    )
)
"""Risk is the logistic function of `x`, and no risk is an alert."""


def proposal(kind: FlagType, severity: Severity, subject: int = 0) -> MeasuredProposal:
    """A flag that a signal would raise, about no words in particular."""
    return MeasuredProposal(kind, severity, None, subject, 0.8)


def said(call: str, sequence: int, text: str = "I sleep well.") -> Segment:
    """Ten seconds of a patient."""
    start = 10.0 * sequence
    return Segment(
        call_id=call, sequence=sequence, speaker="patient", text=text, start=start, end=start + 10.0
    )


def measured(
    sequence: int,
    x: float,
    *proposals: MeasuredProposal,
    readings: Mapping[str, float] | None = None,
    features: Mapping[str, float] | None = None,
) -> MeasuredSegment:
    """A segment with `x`, what is proposed to be flagged, and readings by their score."""
    return MeasuredSegment(
        sequence,
        {"x": x, **(features or {})},
        {name: MeasuredReading(1.0 - score, score) for name, score in (readings or {}).items()},
        proposals,
    )


class StudyBuilder:
    """Gathers labels beside what is measured of them, the same in both forms unless it is said otherwise."""

    def __init__(self) -> None:
        self.impact: list[Item] = []
        self.injected: list[Injected] = []
        self.calls: dict[str, list[Segment]] = {}
        self.unclear: dict[str, frozenset[int]] = {}
        self.stretches: dict[str, tuple[MeasuredSegment, ...]] = {}
        self.given: dict[str, tuple[MeasuredSegment, ...]] = {}
        self.bare: dict[str, tuple[MeasuredSegment, ...]] = {}
        self.signals: dict[str, str] = {"x": "oracle"}

    def label(
        self, call: str, impact: int, found: MeasuredSegment, hypothesis: str = "", reference: str = ""
    ) -> None:
        """A mishearing with its label."""
        own = f"impact-{len(self.impact)}"
        harmful = {0: 0.0, 1: 0.25, 2: 1.0}[impact]
        segments = (said(own, 0), said(own, 1, hypothesis))
        self.impact.append(
            Item(call, segments, harmful, f"impact_{impact}", impact=impact, reference=reference or None)
        )
        self.stretches[own] = (found,)

    def inject(
        self, call: str, kind: str, altered: Sequence[MeasuredSegment], untouched: Sequence[MeasuredSegment]
    ) -> None:
        """An error in a stretch, beside the stretch without it."""
        pair = []
        for mark, harmful, found in (("~", 1.0, altered), ("=", 0.0, untouched)):
            own = f"{call}{mark}{len(self.injected)}"
            spoken, *after = [said(own, one.sequence) for one in found]
            pair.append(Item(call, (spoken,), harmful, kind if harmful else "untouched", tuple(after)))
            self.stretches[own] = tuple(found)
        self.injected.append(Injected(*pair))

    def call(
        self, name: str, found: Sequence[MeasuredSegment], bare: Sequence[MeasuredSegment] | None = None
    ) -> None:
        """A clean call."""
        self.calls[name] = [said(name, one.sequence) for one in found]
        self.given[name] = tuple(found)
        self.bare[name] = tuple(found if bare is None else bare)

    def study(self, folds: Folds | None = None) -> Study:
        """All of it, as given, with risk from `x` unless other models are named."""
        both = {"given": self.stretches, "bare": self.stretches}
        return Study(
            Labels(self.impact, self.injected, self.calls, self.unclear),
            Measured(both, {"given": self.given, "bare": self.bare}, self.signals),  # type: ignore[arg-type]
            "given",
            folds or same_for_all(IDENTITY),
            MonitorSettings(),
        )
