"""From proposals to flags: one problem is one flag, and a segment does not shout.

Signals propose; a proposal is dropped while the same subject was flagged within the cooldown, where a more
severe one of the same words stands, and beyond a segment's bound. A revised segment is decided anew.
"""

from collections.abc import Iterable
from typing import NamedTuple

from service.monitor_settings import FlagSettings
from service.signals.base import Proposal
from streams.identity import flag_id
from streams.messages import Flag, Segment, Severity, Span

SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low")
"""Most severe first."""


class Raised(NamedTuple):
    """When a flag was raised: at which position (count of the call's segments), and for which segment."""

    position: int
    sequence: int


RecentFlags = dict[tuple[str, str], Raised]
"""When each type and subject was last flagged."""

RecentFlagsForm = list[tuple[str, str, int, int]]
"""Recent flags in a call's state: type, subject, position and sequence of each."""

_SUBJECT_CHARACTERS = 100
"""A subject is known by its beginning: what a call remembers is bounded, and a recogniser's words are not."""


def decide_flags(
    segment: Segment,
    position: int,
    proposals: Iterable[Proposal],
    recent: RecentFlags,
    settings: FlagSettings,
) -> tuple[Flag, ...]:
    """Chooses a segment's flags, most severe first, and notes them in `recent`."""
    for key, raised in list(recent.items()):
        revised = raised.sequence == segment.sequence
        if revised or position - raised.position > settings.cooldown_segments:
            del recent[key]
    chosen: list[Proposal] = []
    for proposal in sorted(proposals, key=_most_severe_first):
        fresh = _key(proposal) not in recent
        if (
            len(chosen) < settings.per_segment
            and fresh
            and not any(_same_words(proposal, other) for other in chosen)
        ):
            chosen.append(proposal)
    raised = Raised(position, segment.sequence)
    recent.update((_key(proposal), raised) for proposal in chosen)
    return tuple(_flag(segment, proposal) for proposal in chosen)


def flags_form(recent: RecentFlags) -> RecentFlagsForm:
    """Recent flags as plain data for a call's state."""
    return [(*key, *raised) for key, raised in recent.items()]


def recent_flags_of(form: RecentFlagsForm) -> RecentFlags:
    """The recent flags that a form was made of."""
    return {(type_, subject): Raised(*raised) for type_, subject, *raised in form}


def _key(proposal: Proposal) -> tuple[str, str]:
    return proposal.type, proposal.subject[:_SUBJECT_CHARACTERS]


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
