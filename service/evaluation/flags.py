"""The flags that the monitor raises with a call's own risk model: the same policy, replayed over what was measured."""

from collections.abc import Sequence

from service.alert import with_alert
from service.evaluation.measured_segment import MeasuredSegment
from service.flagging import RecentFlags, decide_flags
from service.monitor_settings import FlagSettings
from service.risk import RiskModel
from streams.messages import Flag, Segment


def flags_of(
    segments: Sequence[Segment],
    measured: Sequence[MeasuredSegment],
    model: RiskModel,
    settings: FlagSettings,
) -> list[tuple[Flag, ...]]:
    """Flags of consecutive segments of a call, of each segment. Spans refer to the form that was measured.

    Args:
        segments: As they were spoken, in order.
        measured: What was measured of each.
        model: Says how risky a segment is, and which risk is an alert.
        settings: The flag policy's.
    """
    recent: RecentFlags = {}
    flags = []
    for position, (segment, found) in enumerate(zip(segments, measured, strict=True)):
        proposals = with_alert(
            [proposal.proposal() for proposal in found.proposals],
            segment,
            model.risk(found.features),
            model.weights.alert_risk,
            {name: reading.reading() for name, reading in found.readings.items()},
        )
        flags.append(decide_flags(segment, position, proposals, recent, settings))
    return flags
