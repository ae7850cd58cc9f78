"""Fits the risk model: measures labelled items once, then fits with all of them, or without one call at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from service.calibration.examples import Example
from service.calibration.features import RISK_FEATURES
from service.calibration.fit import fit_risk
from service.calibration.labelled import read_calls, read_impact, read_injected
from service.calibration.measure import measure_clean_calls, measure_items
from service.monitor import Monitor
from service.risk import RiskWeights

PRIOR_STRENGTH = 3.0
"""Precision of the weights' prior, in examples."""

INJECTED_WEIGHT = 0.2
"""What an injected error counts beside a clinician's label: there are many, and they are made by rule."""


CLEAN_WEIGHT = 0.02
"""What a segment of a clean call counts: there are thousands, and a few of them were misheard by people."""


@dataclass(frozen=True, slots=True)
class LabelSources:
    """Where labels come from; at least one.

    Attributes:
        impact: Clinicians' impact labels, JSON Lines.
        calls: Folder of recorded calls that a person transcribed: clean, and what `injected` refers to.
        injected: Injected errors, JSON Lines.
    """

    impact: Path | None = None
    calls: Path | None = None
    injected: Path | None = None


def measure(sources: LabelSources, monitor: Monitor) -> list[Example]:
    """The features of every labelled segment.

    Raises:
        InvalidLabels: a file cannot be used.
    """
    calls = {} if sources.calls is None else read_calls(sources.calls)
    labelled = [] if sources.impact is None else read_impact(sources.impact)
    injected = [] if sources.injected is None else list(read_injected(sources.injected, calls))
    weights = {item.kind: INJECTED_WEIGHT for item in injected}
    return [
        *measure_items([*labelled, *injected], monitor, weights),
        *measure_clean_calls(calls, monitor, CLEAN_WEIGHT),
    ]


def fit(examples: Sequence[Example], day: date, without_call: str | None = None) -> RiskWeights:
    """Fits the risk model.

    Args:
        examples: Labelled segments.
        day: Goes into the file's record.
        without_call: A recorded call whose examples are left out.
    """
    used = [example for example in examples if example.call_id != without_call]
    record: dict[str, str | int | float] = {
        "date": day.isoformat(),
        "examples": len(used),
        "calls": len({example.call_id for example in used}),
        "prior_strength": PRIOR_STRENGTH,
    }
    if without_call is not None:
        record["without_call"] = without_call
    return fit_risk(used, tuple(RISK_FEATURES), PRIOR_STRENGTH, record, RISK_FEATURES)
