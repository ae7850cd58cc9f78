"""The messages: what comes in on `transcripts.segments`, and what goes out.

Plain frozen data. Everything that holds transcript text hides it from `repr`, since a repr ends in logs.
Reading bytes into these is `decoding.py`'s work; writing them is `encoding.py`'s.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Speaker = Literal["patient", "clinician", "agent", "unknown"]
Severity = Literal["critical", "high", "medium", "low"]
Recommendation = Literal["ACCEPT", "REVIEW", "REJECT"]
Span = tuple[int, int]
"""`[start, end)` characters of a segment's text, as it was received."""

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Who transcribed: the ASR's provider and model."""

    provider: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word; times in seconds from call start, confidence 0..1."""

    text: str = field(repr=False)
    start: float | None = None
    end: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One final ASR result. Times are seconds from call start."""

    call_id: str
    sequence: int
    speaker: Speaker
    text: str = field(repr=False)
    start: float | None = None
    end: float | None = None
    confidence: float | None = None
    words: tuple[Word, ...] = field(default=(), repr=False)
    end_of_turn: bool | None = None
    speech_seconds: float | None = None
    language: str | None = None
    asr: Recogniser = Recogniser()
    tenant: str | None = None
    received_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnded:
    """The call is over: its summary is due."""

    call_id: str
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a signal saw something: a span of the segment's text, a reason code, how strong."""

    span: Span | None
    reason: str
    value: float | None = None


@dataclass(frozen=True, slots=True)
class SignalReading:
    """One signal of one segment.

    Attributes:
        value: The raw measure, in the signal's own unit; None when the signal is absent.
        score: 0..1, 1 is healthy; None when the signal is absent.
        evidence: Where it was seen.
        absent: Why there is no value (a reason code), else None.
    """

    value: float | None
    score: float | None
    evidence: tuple[Evidence, ...] = ()
    absent: str | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """An earlier segment of the same call that a flag contradicts or answers."""

    sequence: int
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One typed, explained reason for a human to look.

    Attributes:
        id: UUIDv5 of call, sequence, type and span.
        type: What kind of problem, such as `misheard_term`.
        reason: A stable code that says how it was found, such as `sounds_like_expected_term`.
        explanation: One plain sentence for the reviewer. May quote the transcript.
        suggestion: What was probably said, or None.
    """

    id: str
    call_id: str
    sequence: int
    type: str
    severity: Severity
    span: Span | None
    reason: str
    explanation: str = field(repr=False)
    suggestion: str | None = field(default=None, repr=False)
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """All signals of a segment, its quality and its risk.

    Attributes:
        features: What the risk was computed from, by feature name. Stays within the service.
    """

    id: str
    segment: Segment
    late: bool
    revision: bool
    risk: float
    quality: float | None
    quality_recommendation: Recommendation | None
    signals: dict[str, SignalReading] = field(repr=False)
    flags: tuple[Flag, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSummary:
    """What a call came to: given once, when it ends or falls silent."""

    id: str
    call_id: str
    segments: int
    duration_seconds: float | None
    risk: float
    quality: float | None
    quality_recommendation: Recommendation | None
    recommendation: Recommendation
    flags_by_severity: dict[Severity, int]
    worst_segments: tuple[int, ...]
    ended_by: Literal["event", "silence", "end_of_input"]
    asr: Recogniser = Recogniser()
    tenant: str | None = None
