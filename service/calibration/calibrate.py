"""Fits the risk model: measures labelled items once, then fits with all of them, or without one call at a time.

Risk asks two questions, and each kind of label answers one. Errors injected into recorded calls, beside the same
words untouched, teach what betrays a mishearing. Clinicians' labels of real mishearings teach which of them mislead.
The log-odds of both are added up; the sum is brought to the level at which altered segments stand among clean ones.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.calibration.examples import Example
from service.calibration.features import CONSEQUENCE_FEATURES, MISHEARING_FEATURES, REASONED_FEATURES
from service.calibration.fit import (
    LinearScore,
    Table,
    TooFewExamples,
    at_level,
    balanced,
    fit_score,
    risk_weights,
    table_of,
    with_reasoned,
)
from service.calibration.labelled import read_calls, read_impact, read_injected
from service.calibration.measure import measure_clean_calls, measure_items
from service.monitor import Monitor
from service.monitor_settings import RecommendationSettings
from service.risk import RiskModel, RiskWeights

Kinds = NDArray[np.str_]
"""Kind of each example, [examples]."""

MISHEARING_PRIOR: Final = 3.0
"""Precision of the prior of the weights that tell mishearings, in examples."""

CONSEQUENCE_PRIOR: Final = 1.0
"""The same of the weights that tell which mishearings mislead: they are few."""

INJECTED_COUNT: Final = 0.2
"""What an injected error counts, and the same segment untouched: there are many, and they are made by rule."""

CLEAN_COUNT: Final = 0.02
"""What a segment of a clean call counts: there are thousands, and a few of them were misheard by people."""

HARMFUL_SHARE: Final = 0.3
"""Share of harm to which clinicians' labels are weighted. How many of the labelled mishearings are harmful is up to
who chose them; left as it is, a call held out with much harm would lower the level at which it is judged."""

ALERT_SHARE: Final = 1 / 130
"""The alert budget: one clean segment in so many may be an alert, about one in ten minutes of a call."""

REVIEW_SHARE: Final = 0.1
"""Share of clean calls whose risk alone may send them to a person; urgent flags send more."""

WORST_SEGMENTS: Final = RecommendationSettings().worst_segments
"""Segments whose mean risk is a call's."""


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
    return [*measure_items([*labelled, *injected], monitor), *measure_clean_calls(calls, monitor)]


def fit(examples: Sequence[Example], day: date, without_call: str | None = None) -> RiskWeights:
    """Fits the risk model.

    Where no errors were injected, clinicians' labels alone answer both questions; where there are none of these,
    every mishearing counts as harmful.

    Args:
        examples: Labelled segments.
        day: Goes into the file's record.
        without_call: A recorded call whose examples are left out.

    Raises:
        TooFewExamples: no kind of label has harmful and harmless examples.
    """
    used = [example for example in examples if example.call_id != without_call]
    table = table_of(used, (*MISHEARING_FEATURES, *CONSEQUENCE_FEATURES))
    kinds = np.array([example.kind for example in used])
    score = at_level(_score(table, kinds), _of_level(table, kinds))
    record: dict[str, str | int | float] = {
        "date": day.isoformat(),
        "examples": len(used),
        "calls": len({example.call_id for example in used}),
        "mishearing_prior": MISHEARING_PRIOR,
        "consequence_prior": CONSEQUENCE_PRIOR,
    }
    if without_call is not None:
        record["without_call"] = without_call
    weights = with_reasoned(risk_weights(score, table.scales, record), REASONED_FEATURES)
    return _with_operating_point(weights, [example for example in used if example.kind == "clean"])


def _with_operating_point(weights: RiskWeights, clean: Sequence[Example]) -> RiskWeights:
    """Draws the lines so that the budget is spent on clean calls; without any they stay where they are."""
    if not clean:
        return weights
    model = RiskModel(weights)
    by_call: dict[str, list[float]] = defaultdict(list)
    for example in clean:
        by_call[example.call_id].append(model.risk(example.features))
    segments = [risk for risks in by_call.values() for risk in risks]
    calls = [float(np.mean(sorted(risks)[-WORST_SEGMENTS:])) for risks in by_call.values()]
    return weights.model_copy(
        update={
            "alert_risk": round(float(np.quantile(segments, 1.0 - ALERT_SHARE)), 4),
            "review_risk": round(float(np.quantile(calls, 1.0 - REVIEW_SHARE)), 4),
        }
    )


def _score(table: Table, kinds: Kinds) -> LinearScore:
    """The sum of what the two kinds of labels teach."""
    judged, altered = table.rows(kinds == "impact"), table.rows(kinds != "impact")
    if not altered.both_kinds:
        both = {**MISHEARING_FEATURES, **CONSEQUENCE_FEATURES}
        return fit_score(judged, balanced(judged, HARMFUL_SHARE), both, CONSEQUENCE_PRIOR)
    counts = np.where(kinds[kinds != "impact"] == "clean", CLEAN_COUNT, INJECTED_COUNT)
    mishearing = fit_score(altered, counts, MISHEARING_FEATURES, MISHEARING_PRIOR)
    if not judged.both_kinds:
        return mishearing
    counts = balanced(judged, HARMFUL_SHARE)
    return mishearing.plus(fit_score(judged, counts, CONSEQUENCE_FEATURES, CONSEQUENCE_PRIOR))


def _of_level(table: Table, kinds: Kinds) -> Table:
    """The examples that say how probable harm is: errors among clean segments, or else what there is.

    A segment shown untouched beside its injected error is one of the clean ones already.
    """
    injected = kinds == "injected"
    among_clean = (kinds == "clean") | (injected & (table.harmful > 0))
    for rows in (among_clean, injected, np.ones(kinds.size, bool)):
        if (candidates := table.rows(rows)).both_kinds:
            return candidates
    raise TooFewExamples("The labels need harmful and harmless examples.")
