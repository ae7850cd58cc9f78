"""Alerts: a segment's risk alone is reason to look, where no signal can name what is wrong with it."""

from collections.abc import Mapping, Sequence
from typing import Final

from service.flagging import SEVERITIES
from service.signals.base import Proposal
from streams.messages import Segment, SignalReading, Span

ALERT_SEVERITY: Final = "medium"

_AS_SEVERE: Final = SEVERITIES[: SEVERITIES.index(ALERT_SEVERITY) + 1]


def with_alert(
    proposals: Sequence[Proposal],
    segment: Segment,
    risk: float,
    alert_risk: float,
    readings: Mapping[str, SignalReading],
) -> Sequence[Proposal]:
    """The proposals, and an alert where the risk asks for one and none of them is as severe.

    Args:
        proposals: What the signals propose to flag.
        segment: What they are about.
        risk: The segment's.
        alert_risk: From which it is an alert: the alert budget's line, which comes with the risk weights.
        readings: The signals': the most improbable word is shown.
    """
    if risk < alert_risk or any(proposal.severity in _AS_SEVERE for proposal in proposals):
        return proposals
    alert = Proposal(
        type="likely_misheard",
        severity=ALERT_SEVERITY,
        span=_most_improbable(readings),
        reason="risk_over_budget",
        explanation="This hardly fits what is spoken of, and something that matters may be lost with it.",
        subject=f"line {segment.sequence}",
        strength=risk,
    )
    return (*proposals, alert)


def _most_improbable(readings: Mapping[str, SignalReading]) -> Span | None:
    words = readings["perplexity"].evidence if "perplexity" in readings else ()
    return max(words, key=lambda word: word.value or 0.0).span if words else None
