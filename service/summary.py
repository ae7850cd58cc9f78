"""What a call came to: its risk, its flags, and whether a person should look."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from typing_extensions import TypedDict

from service.composite import quality_recommendation
from service.flagging import SEVERITIES
from service.monitor_settings import CompositeSettings, RecommendationSettings
from service.observation import WorstFlag
from service.state.sequence_rows import SequenceRows, SequenceRowsForm
from service.sums import ROW_BYTES, Sums, SumsForm, Tallied, tallied_row
from streams.identity import summary_id
from streams.messages import Assessment, CallSummary, Recogniser, Recommendation, Severity

EndedBy = Literal["event", "silence", "end_of_input"]

_REVISABLE = 1000
"""Segments of a call that a revision still replaces; of those before them sums are kept."""


class TallyForm(TypedDict):
    """A call's tally in the state that moves with it."""

    asr: tuple[str | None, str | None]
    tenant: str | None
    first_start: float | None
    last_end: float | None
    recent: SequenceRowsForm
    before: SumsForm


@dataclass(slots=True)
class CallTally:
    """Adds up a call's assessments; a revised segment counts with its last one."""

    asr: Recogniser = Recogniser()
    tenant: str | None = None
    first_start: float | None = None
    last_end: float | None = None
    _recent: SequenceRows = field(default_factory=lambda: SequenceRows(_REVISABLE))
    _before: Sums = field(default_factory=Sums)
    _flags: Counter[Severity] = field(default_factory=Counter)

    def add(self, assessment: Assessment) -> None:
        """Takes one more assessment into account."""
        segment = assessment.segment
        replaced = self._recent.get(segment.sequence)
        if replaced is not None:
            self._flags -= Tallied.of_row(replaced).flags()
        self._flags.update(flag.severity for flag in assessment.flags)
        forgotten = self._recent.put(segment.sequence, tallied_row(assessment))
        if forgotten is not None:
            sequence, row = forgotten
            self._before = self._before.plus({sequence: Tallied.of_row(row)})
        self.asr, self.tenant = segment.asr, segment.tenant
        if segment.start is not None:
            self.first_start = (
                segment.start if self.first_start is None else min(self.first_start, segment.start)
            )
        if segment.end is not None:
            self.last_end = segment.end if self.last_end is None else max(self.last_end, segment.end)

    @property
    def worst_flag(self) -> WorstFlag:
        """The most severe flag so far."""
        # Asked of every open call with every poll; a severity that counts nothing is not in `_flags`.
        for severity in SEVERITIES:
            if severity in self._flags:
                return severity
        return "none"

    def summary(
        self,
        call_id: str,
        ended_by: EndedBy,
        settings: RecommendationSettings,
        composite: CompositeSettings,
    ) -> CallSummary:
        """The call's summary."""
        sums = self._sums()
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

    def form(self) -> TallyForm:
        """The tally as plain data; nothing that is added later changes it."""
        return {
            "asr": (self.asr.provider, self.asr.model),
            "tenant": self.tenant,
            "first_start": self.first_start,
            "last_end": self.last_end,
            "recent": self._recent.form(),
            "before": self._before.form(),
        }

    @classmethod
    def of_form(cls, form: TallyForm) -> "CallTally":
        """The tally that wrote a form.

        Raises:
            ValueError: parts of it do not fit each other.
        """
        tally = cls(
            Recogniser(*form["asr"]),
            form["tenant"],
            form["first_start"],
            form["last_end"],
            SequenceRows.of_form(form["recent"], _REVISABLE, ROW_BYTES),
            Sums.of_form(form["before"]),
        )
        tally._flags = tally._sums().severities
        return tally

    def _sums(self) -> Sums:
        return self._before.plus({sequence: Tallied.of_row(row) for sequence, row in self._recent.items()})

    def _duration(self) -> float | None:
        if self.first_start is None or self.last_end is None:
            return None
        return self.last_end - self.first_start


def operating_point(settings: RecommendationSettings, review_risk: float) -> RecommendationSettings:
    """The settings, with the risk model's own line where they draw none."""
    return (
        settings
        if settings.review_risk is not None
        else settings.model_copy(update={"review_risk": review_risk})
    )


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
    risky = settings.review_risk is not None and risk >= settings.review_risk
    if flags["critical"] or flags["high"] >= settings.review_high_flags or risky:
        return "REVIEW"
    return "ACCEPT"
