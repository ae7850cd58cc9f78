"""What a call came to: its risk, its flags, and whether a person should look."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from service.composite import quality_recommendation
from service.flagging import SEVERITIES
from service.monitor_settings import MOST_WORST_SEGMENTS, CompositeSettings, RecommendationSettings
from streams.identity import summary_id
from streams.messages import Assessment, CallSummary, Recogniser, Recommendation, Severity

EndedBy = Literal["event", "silence", "end_of_input"]


_REVISABLE = 1000
"""Segments of a call that a revision still replaces; of those before them sums are kept."""


@dataclass(frozen=True, slots=True)
class _Tallied:
    risk: float
    quality: float | None
    severities: tuple[Severity, ...]


@dataclass(slots=True)
class _Sums:
    """What segments come to together. Bounded, however many they are.

    Attributes:
        worst: Sequence and risk of those with the highest risk, highest first.
    """

    segments: int = 0
    quality: float = 0.0
    with_quality: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    worst: list[tuple[int, float]] = field(default_factory=list)

    def plus(self, tallied: Mapping[int, _Tallied]) -> "_Sums":
        """These and further segments."""
        qualities = [one.quality for one in tallied.values() if one.quality is not None]
        worst = [*self.worst, *((sequence, one.risk) for sequence, one in tallied.items())]
        worst.sort(key=lambda entry: -entry[1])
        return _Sums(
            self.segments + len(tallied),
            sum(qualities, self.quality),
            self.with_quality + len(qualities),
            self.severities + Counter(severity for one in tallied.values() for severity in one.severities),
            worst[:MOST_WORST_SEGMENTS],
        )


@dataclass(slots=True)
class CallTally:
    """Adds up a call's assessments; a revised segment counts with its last one."""

    asr: Recogniser = Recogniser()
    tenant: str | None = None
    first_start: float | None = None
    last_end: float | None = None
    _recent: dict[int, _Tallied] = field(default_factory=dict)
    _before: _Sums = field(default_factory=_Sums)

    def add(self, assessment: Assessment) -> None:
        """Takes one more assessment into account."""
        segment = assessment.segment
        self._recent[segment.sequence] = _Tallied(
            assessment.risk, assessment.quality, tuple(flag.severity for flag in assessment.flags)
        )
        if len(self._recent) > _REVISABLE:
            oldest = next(iter(self._recent))
            self._before = self._before.plus({oldest: self._recent.pop(oldest)})
        self.asr, self.tenant = segment.asr, segment.tenant
        if segment.start is not None:
            self.first_start = (
                segment.start if self.first_start is None else min(self.first_start, segment.start)
            )
        if segment.end is not None:
            self.last_end = segment.end if self.last_end is None else max(self.last_end, segment.end)

    def summary(
        self,
        call_id: str,
        ended_by: EndedBy,
        settings: RecommendationSettings,
        composite: CompositeSettings,
    ) -> CallSummary:
        """The call's summary."""
        sums = self._before.plus(self._recent)
        quality = sums.quality / sums.with_quality if sums.with_quality else None
        counts = {severity: sums.severities[severity] for severity in SEVERITIES}
        worst = sums.worst[: settings.worst_segments]
        risk = sum(risk for _, risk in worst) / len(worst) if worst else 0.0
        return CallSummary(
            id=summary_id(call_id),
            call_id=call_id,
            segments=sums.segments,
            duration_seconds=self._duration(),
            risk=risk,
            quality=quality,
            quality_recommendation=quality_recommendation(quality, composite),
            recommendation=recommend(risk, counts, settings),
            flags_by_severity=counts,
            worst_segments=tuple(sequence for sequence, _ in worst),
            ended_by=ended_by,
            asr=self.asr,
            tenant=self.tenant,
        )

    def _duration(self) -> float | None:
        if self.first_start is None or self.last_end is None:
            return None
        return self.last_end - self.first_start


def recommend(risk: float, flags: dict[Severity, int], settings: RecommendationSettings) -> Recommendation:
    """Whether a person should look at a call; a critical flag makes it at least REVIEW.

    Args:
        risk: Mean risk of the call's worst segments.
        flags: How many flags of each severity.
        settings: The alert budget's operating point.
    """
    urgent = flags["critical"] + flags["high"]
    if risk >= settings.reject_risk or urgent >= settings.reject_urgent_flags:
        return "REJECT"
    if flags["critical"] or flags["high"] >= settings.review_high_flags or risk >= settings.review_risk:
        return "REVIEW"
    return "ACCEPT"
