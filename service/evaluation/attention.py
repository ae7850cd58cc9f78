"""A reviewer's attention: what clean calls cost, and which injected errors get a flag."""

from collections import Counter
from typing import Any, Final

from service.calibration.labelled import Item
from service.evaluation.study import Study
from service.flagging import SEVERITIES
from service.monitor_settings import CompositeSettings
from service.summary import CallTally, operating_point
from streams.messages import Assessment, Flag, Recommendation, Segment

URGENT: Final = ("critical", "high")


def attention_figures(study: Study) -> dict[str, Any]:
    """Flags per hour of clean call by severity and type, calls sent to review, injected errors flagged.

    Flags of segments that the calls' transcriber marked unclear are left out of the first, as they may be right.
    """
    hours = sum(map(study.minutes, study.labels.calls)) / 60.0
    flags = [flag for call in study.labels.calls for flag in _heard_clearly(study, call)]
    severities = Counter(flag.severity for flag in flags)
    recommended = Counter(_recommendation(study, call) for call in study.labels.calls)
    return {
        "calls": len(study.labels.calls),
        "hours": hours,
        "flags_by_severity": {severity: severities[severity] for severity in SEVERITIES},
        "flags_by_type": dict(sorted(Counter(flag.type for flag in flags).items())),
        "urgent_flags": sum(severities[severity] for severity in URGENT),
        "calls_with_urgent_flag": len({flag.call_id for flag in flags if flag.severity in URGENT}),
        "calls_sent_to_review": len(study.labels.calls) - recommended["ACCEPT"],
        "injected": _injected_with_flags(study),
    }


def _heard_clearly(study: Study, call: str) -> list[Flag]:
    unclear = study.labels.unclear.get(call, frozenset())
    return [flag for flags in study.flags_of_call(call) for flag in flags if flag.sequence not in unclear]


def _injected_with_flags(study: Study) -> dict[str, dict[str, float]]:
    """By type of error: share with a flag that the same stretch untouched does not have."""
    found: dict[str, list[set[str]]] = {}
    for pair in study.labels.injected:
        new = _flags(study, pair.altered) - _flags(study, pair.untouched)
        found.setdefault(pair.type, []).append({severity for _, _, severity in new})
    return {
        name: {
            "flagged": sum(bool(new) for new in errors) / len(errors),
            "flagged_urgently": sum(bool(new & set(URGENT)) for new in errors) / len(errors),
        }
        for name, errors in sorted(found.items())
    }


def _flags(study: Study, item: Item) -> Counter[tuple[int, str, str]]:
    return Counter(
        (flag.sequence, flag.type, flag.severity) for flags in study.flags_of_stretch(item) for flag in flags
    )


def _recommendation(study: Study, call: str) -> Recommendation:
    """As the monitor would recommend with this call's risk model."""
    tally = CallTally()
    measured = study.measured.calls[study.form][call]
    for segment, one, flags in zip(
        study.labels.calls[call], measured, study.flags_of_call(call), strict=True
    ):
        tally.add(_assessment(segment, study.risk(call, one), flags))
    review_risk = study.folds.model(call).weights.review_risk
    settings = operating_point(study.settings.recommendation, review_risk)
    return tally.summary(call, "end_of_input", settings, CompositeSettings()).recommendation


def _assessment(segment: Segment, risk: float, flags: tuple[Flag, ...]) -> Assessment:
    """What a call's summary takes of it; nothing else is filled in."""
    return Assessment(
        id="",
        segment=segment,
        late=False,
        revision=False,
        risk=risk,
        quality=None,
        quality_recommendation=None,
        signals={},
        flags=flags,
    )
