"""The records' shapes, for the AsyncAPI document. Reading and writing do not go through these: see `decoding.py`.

A test holds them to what is really read and written.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from streams.messages import Recommendation, Severity, Span, Speaker


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class RecogniserRecord(_Record):
    """Who transcribed."""

    provider: str | None = None
    model: str | None = None


class WordRecord(_Record):
    """One recognised word; seconds from call start."""

    text: str
    start: float | None = None
    end: float | None = None
    confidence: float | None = None


class SegmentRecord(_Record):
    """One final result of a recogniser; seconds from call start. Unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    call_id: str
    sequence: int
    speaker: Speaker
    text: str
    start: float | None = None
    end: float | None = None
    confidence: float | None = None
    words: list[WordRecord] | None = None
    is_final: bool | None = True
    end_of_turn: bool | None = None
    speech_seconds: float | None = None
    language: str | None = None
    asr: RecogniserRecord | None = None
    tenant: str | None = None
    received_at: datetime | None = None


class CallEndedRecord(_Record):
    """A call is over."""

    type: Literal["call.ended"]
    call_id: str
    ended_at: datetime | None = None


class EvidenceRecord(_Record):
    """Where a signal saw something."""

    span: Span | None
    reason: str
    value: float | None


class SignalRecord(_Record):
    """One signal of one segment."""

    value: float | None
    score: float | None
    evidence: list[EvidenceRecord]
    absent: str | None


class RelatedRecord(_Record):
    """An earlier segment of the call."""

    sequence: int
    span: Span | None


class _FlagRecord(_Record):
    id: str
    type: str
    severity: Severity
    span: Span | None
    reason: str
    explanation: str
    suggestion: str | None
    related: list[RelatedRecord]


class AssessmentFlagRecord(_FlagRecord):
    """A flag within its assessment."""


class FlaggedSegmentRecord(_Record):
    """The segment that a flag is about."""

    sequence: int
    speaker: Speaker
    start: float | None
    end: float | None
    text: str


class FlagRecord(_FlagRecord):
    """One explained reason for a person to look."""

    schema_version: int
    call_id: str
    sequence: int
    segment: FlaggedSegmentRecord
    tenant: str | None
    asr: RecogniserRecord


class AssessmentRecord(_Record):
    """All signals of a segment, its quality and its risk."""

    schema_version: int
    id: str
    call_id: str
    sequence: int
    speaker: Speaker
    start: float | None
    end: float | None
    late: bool
    revision: bool
    risk: float
    quality: float | None
    quality_recommendation: Recommendation | None
    signals: dict[str, SignalRecord]
    flags: list[AssessmentFlagRecord]
    tenant: str | None
    asr: RecogniserRecord
    received_at: datetime | None


class CallRecord(_Record):
    """What a call came to."""

    schema_version: int
    id: str
    call_id: str
    recommendation: Recommendation
    risk: float
    quality: float | None
    quality_recommendation: Recommendation | None
    segments: int
    duration_seconds: float | None
    flags_by_severity: dict[Severity, int]
    worst_segments: list[int]
    ended_by: Literal["event", "silence", "end_of_input"]
    tenant: str | None
    asr: RecogniserRecord
