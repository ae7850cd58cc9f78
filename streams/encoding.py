"""From messages to the bytes of a record. Scores are rounded: further digits are noise of the arithmetic."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from streams.decoding import CALL_ENDED
from streams.messages import (
    SCHEMA_VERSION,
    Assessment,
    CallEnded,
    CallSummary,
    Evidence,
    Flag,
    Recogniser,
    Segment,
    SignalReading,
)

DIGITS: Final = 6
"""Decimal places of every score and measure."""

_OPTIONS: Final = orjson.OPT_UTC_Z | orjson.OPT_SERIALIZE_NUMPY
"""Times as RFC 3339 with `Z`; numbers that come straight from a model are numpy's."""


def encode_assessment(assessment: Assessment) -> bytes:
    """An assessment without its segment's text, which the segments topic holds."""
    return orjson.dumps(assessment_fields(assessment), option=_OPTIONS)


def encode_flag(flag: Flag, segment: Segment) -> bytes:
    """A flag with the segment that it is about, so that a reader of this topic alone can judge it."""
    return orjson.dumps(
        {
            "schema_version": SCHEMA_VERSION,
            **_flag_fields(flag),
            "call_id": flag.call_id,
            "sequence": flag.sequence,
            "segment": {
                "sequence": segment.sequence,
                "speaker": segment.speaker,
                "start": segment.start,
                "end": segment.end,
                "text": segment.text,
            },
            "tenant": segment.tenant,
            "asr": _recogniser_fields(segment.asr),
        },
        option=_OPTIONS,
    )


def encode_summary(summary: CallSummary) -> bytes:
    """The summary of a call."""
    return orjson.dumps(summary_fields(summary), option=_OPTIONS)


def encode_call_ended(ended: CallEnded) -> bytes:
    """The message that a call is over."""
    return orjson.dumps(
        {"type": CALL_ENDED, "call_id": ended.call_id, "ended_at": ended.ended_at}, option=_OPTIONS
    )


def segment_fields(segment: Segment) -> dict[str, Any]:
    """A segment as plain data, as it is read; what is not known is left out."""
    return _known(
        {
            "call_id": segment.call_id,
            "sequence": segment.sequence,
            "speaker": segment.speaker,
            "text": segment.text,
            "start": segment.start,
            "end": segment.end,
            "confidence": segment.confidence,
            "words": [
                _known(
                    {"text": word.text, "start": word.start, "end": word.end, "confidence": word.confidence}
                )
                for word in segment.words
            ]
            or None,
            "end_of_turn": segment.end_of_turn,
            "speech_seconds": segment.speech_seconds,
            "language": segment.language,
            "asr": _known(_recogniser_fields(segment.asr)) or None,
            "tenant": segment.tenant,
            "received_at": segment.received_at,
        }
    )


def assessment_fields(assessment: Assessment) -> dict[str, Any]:
    """An assessment as plain data, in the order in which its fields are written."""
    segment = assessment.segment
    return {
        "schema_version": SCHEMA_VERSION,
        "id": assessment.id,
        "call_id": segment.call_id,
        "sequence": segment.sequence,
        "speaker": segment.speaker,
        "start": segment.start,
        "end": segment.end,
        "late": assessment.late,
        "revision": assessment.revision,
        "risk": _rounded(assessment.risk),
        "quality": _rounded(assessment.quality),
        "quality_recommendation": assessment.quality_recommendation,
        "signals": {name: _signal_fields(reading) for name, reading in assessment.signals.items()},
        "flags": [_flag_fields(flag) for flag in assessment.flags],
        "tenant": segment.tenant,
        "asr": _recogniser_fields(segment.asr),
        "received_at": segment.received_at,
    }


def summary_fields(summary: CallSummary) -> dict[str, Any]:
    """A summary as plain data, in the order in which its fields are written."""
    return {
        "schema_version": SCHEMA_VERSION,
        "id": summary.id,
        "call_id": summary.call_id,
        "recommendation": summary.recommendation,
        "risk": _rounded(summary.risk),
        "quality": _rounded(summary.quality),
        "quality_recommendation": summary.quality_recommendation,
        "segments": summary.segments,
        "duration_seconds": _rounded(summary.duration_seconds),
        "flags_by_severity": dict(summary.flags_by_severity),
        "worst_segments": summary.worst_segments,
        "ended_by": summary.ended_by,
        "tenant": summary.tenant,
        "asr": _recogniser_fields(summary.asr),
    }


def _signal_fields(reading: SignalReading) -> dict[str, Any]:
    return {
        "value": _rounded(reading.value),
        "score": _rounded(reading.score),
        "evidence": [_evidence_fields(evidence) for evidence in reading.evidence],
        "absent": reading.absent,
    }


def _evidence_fields(evidence: Evidence) -> dict[str, Any]:
    return {"span": evidence.span, "reason": evidence.reason, "value": _rounded(evidence.value)}


def _flag_fields(flag: Flag) -> dict[str, Any]:
    return {
        "id": flag.id,
        "type": flag.type,
        "severity": flag.severity,
        "span": flag.span,
        "reason": flag.reason,
        "explanation": flag.explanation,
        "suggestion": flag.suggestion,
        "related": [{"sequence": related.sequence, "span": related.span} for related in flag.related],
    }


def _recogniser_fields(asr: Recogniser) -> dict[str, str | None]:
    return {"provider": asr.provider, "model": asr.model}


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(float(number), DIGITS)
