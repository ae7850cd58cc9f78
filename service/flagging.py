"""From proposals to flags: one problem is one flag, and a segment does not shout.

Signals propose; a proposal is dropped while the same subject was flagged within the cooldown, where a more
severe one of the same words stands, and beyond a segment's bound.
"""

from collections.abc import Iterable

from service.monitor_settings import FlagSettings
from service.signals.base import Proposal
from streams.identity import flag_id
from streams.messages import Flag, Segment, Severity, Span

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low")
"""Most severe first."""

RecentFlags = dict[tuple[str, str], int]
"""Position (count of the call's segments) at which each type and subject was last flagged."""


def decide_flags(
    segment: Segment,
    position: int,
    proposals: Iterable[Proposal],
    recent: RecentFlags,
    settings: FlagSettings,
) -> tuple[Flag, ...]:
    """Chooses a segment's flags, most severe first, and notes them in `recent`."""
    for key in [key for key, at in recent.items() if position - at > settings.cooldown_segments]:
        del recent[key]
    chosen: list[Proposal] = []
    for proposal in sorted(proposals, key=_most_severe_first):
        fresh = recent.get((proposal.type, proposal.subject), position) == position
        if (
            len(chosen) < settings.per_segment
            and fresh
            and not any(_same_words(proposal, other) for other in chosen)
        ):
            chosen.append(proposal)
    recent.update(((proposal.type, proposal.subject), position) for proposal in chosen)
    return tuple(_flag(segment, proposal) for proposal in chosen)


def _most_severe_first(proposal: Proposal) -> tuple[int, float]:
    return SEVERITIES.index(proposal.severity), -proposal.strength


def _same_words(one: Proposal, other: Proposal) -> bool:
    if one.type == other.type and one.span == other.span:
        return True  # their ids would be the same
    return one.span is not None and other.span is not None and _overlap(one.span, other.span)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _flag(segment: Segment, proposal: Proposal) -> Flag:
    return Flag(
        id=flag_id(segment.call_id, segment.sequence, proposal.type, proposal.span),
        call_id=segment.call_id,
        sequence=segment.sequence,
        type=proposal.type,
        severity=proposal.severity,
        span=proposal.span,
        reason=proposal.reason,
        explanation=proposal.explanation,
        suggestion=proposal.suggestion,
        related=proposal.related,
    )
