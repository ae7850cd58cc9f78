"""What a call came to: its risk, its flags, and whether a person should look."""

from dataclasses import dataclass, field
from typing import Literal

from service.composite import quality_recommendation
from service.flagging import SEVERITIES
from service.monitor_settings import CompositeSettings, RecommendationSettings
from streams.identity import summary_id
from streams.messages import Assessment, CallSummary, Recogniser, Recommendation, Severity

EndedBy = Literal["event", "silence", "end_of_input"]


@dataclass(frozen=True, slots=True)
class _Tallied:
    risk: float
    quality: float | None
    severities: tuple[Severity, ...]


@dataclass(slots=True)
class CallTally:
    """Adds up a call's assessments; a revised segment counts with its last one."""

    asr: Recogniser = Recogniser()
    tenant: str | None = None
    first_start: float | None = None
    last_end: float | None = None
    _tallied: dict[int, _Tallied] = field(default_factory=dict)

    def add(self, assessment: Assessment) -> None:
        """Takes one more assessment into account."""
        segment = assessment.segment
        self._tallied[segment.sequence] = _Tallied(
            assessment.risk, assessment.quality, tuple(flag.severity for flag in assessment.flags)
        )
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
        qualities = [one.quality for one in self._tallied.values() if one.quality is not None]
        quality = sum(qualities) / len(qualities) if qualities else None
        counts: dict[Severity, int] = dict.fromkeys(SEVERITIES, 0)
        for one in self._tallied.values():
            for severity in one.severities:
                counts[severity] += 1
        worst = sorted(self._tallied, key=lambda sequence: -self._tallied[sequence].risk)[
            : settings.worst_segments
        ]
        risk = sum(self._tallied[sequence].risk for sequence in worst) / len(worst) if worst else 0.0
        return CallSummary(
            id=summary_id(call_id),
            call_id=call_id,
            segments=len(self._tallied),
            duration_seconds=self._duration(),
            risk=risk,
            quality=quality,
            quality_recommendation=quality_recommendation(quality, composite),
            recommendation=recommend(risk, counts, settings),
            flags_by_severity=counts,
            worst_segments=tuple(worst),
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
