"""The records' shapes, for the published schemas and the AsyncAPI document.

Reading and writing do not go through these: see `decoding.py`. Tests hold them to what is really read and written.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from streams.fields import ErrorKind
from streams.messages import Recommendation, Severity, Speaker

_Version = Annotated[Literal[1], Field(description="Raised when a field goes, or means something else.")]
_Id = Annotated[str, Field(description="UUIDv5. A redelivery repeats it, a revision too.")]
_CallId = Annotated[str, Field(min_length=1, description="The call.")]
_Sequence = Annotated[int, Field(ge=0, description="The segment's place in its call.")]
_Seconds = Annotated[float, Field(ge=0)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Quality = Annotated[
    _Share | None, Field(description="Composite quality as published elsewhere, 1 is healthy.")
]
_QualityRecommendation = Annotated[
    Recommendation | None, Field(description="What quality alone would say, by the published thresholds.")
]
_Characters = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)]
_Span = Annotated[
    _Characters | None,
    Field(description="`[start, end)` characters of the segment's text as received; null: all of it."),
]
_Tenant = Annotated[str | None, Field(description="Whose call it is, as the segment said.")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class RecogniserRecord(_Record):
    """Who transcribed."""

    provider: str | None = Field(None, description="Such as the vendor's name.")
    model: str | None = Field(None, description="Such as the vendor's name for the model.")


_Recogniser = Annotated[RecogniserRecord, Field(description="Who transcribed.")]


class WordRecord(_Record):
    """One recognised word; seconds from call start."""

    text: str = Field(description="The word.")
    start: _Seconds | None = Field(None, description="Where it begins.")
    end: _Seconds | None = Field(None, description="Where it ends.")
    confidence: _Share | None = Field(None, description="How sure the recogniser is of it.")


class SegmentRecord(_Record):
    """One final result of a recogniser; seconds from call start. Unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    call_id: _CallId
    sequence: _Sequence
    speaker: Speaker = Field(description="Who speaks. Anything else is read as unknown, and counted.")
    text: str = Field(description="What was heard; empty where speech gave no words.")
    start: _Seconds | None = Field(None, description="Where it begins.")
    end: _Seconds | None = Field(None, description="Where it ends, not before it begins.")
    confidence: _Share | None = Field(None, description="How sure the recogniser is of all of it.")
    words: list[WordRecord] | None = Field(None, description="The words, if they are known one by one.")
    is_final: bool | None = Field(True, description="A segment that is not final is ignored, and counted.")
    end_of_turn: bool | None = Field(None, description="Whether the speaker's turn ends with it.")
    speech_seconds: _Seconds | None = Field(
        None, description="Seconds of speech in it, by a voice detector; may be known where no word is."
    )
    language: str | None = Field(None, description="Such as en or en-GB; unset: taken to be understood.")
    asr: RecogniserRecord | None = Field(None, description="Who transcribed.")
    tenant: str | None = Field(None, description="Whose call it is.")
    received_at: datetime | None = Field(
        None, description="When it was received, RFC 3339 with offset; unset: the record's own time."
    )


class CallEndedRecord(_Record):
    """A call is over: its summary is due."""

    type: Literal["call.ended"] = Field(description="Tells it from a segment.")
    call_id: _CallId
    ended_at: datetime | None = Field(None, description="When, RFC 3339 with offset.")


class EvidenceRecord(_Record):
    """Where a signal saw something."""

    span: _Span
    reason: str = Field(description="A code that says what was seen.")
    value: float | None = Field(description="How strong, in the unit of the signal.")


class SignalRecord(_Record):
    """One signal of one segment."""

    value: float | None = Field(description="The raw measure; null: absent.")
    score: _Share | None = Field(description="1 is healthy; null: absent.")
    evidence: list[EvidenceRecord] = Field(description="Where it was seen.")
    absent: str | None = Field(description="A code that says why there is no value.")


class RelatedRecord(_Record):
    """An earlier segment of the call."""

    sequence: _Sequence
    span: _Span


class _FlagRecord(_Record):
    id: _Id
    type: str = Field(description="What kind of problem. More kinds may come.")
    severity: Severity = Field(description="What was probably changed.")
    span: _Span
    reason: str = Field(description="A stable code that says how it was found.")
    explanation: str = Field(description="One plain sentence for the reviewer. May quote the transcript.")
    suggestion: str | None = Field(description="What was probably said.")
    related: list[RelatedRecord] = Field(description="Earlier segments that it contradicts or answers.")


class AssessmentFlagRecord(_FlagRecord):
    """A flag within its assessment."""


class FlaggedSegmentRecord(_Record):
    """The segment that a flag is about."""

    sequence: _Sequence
    speaker: Speaker = Field(description="Who speaks.")
    start: _Seconds | None = Field(description="Where it begins, seconds from call start.")
    end: _Seconds | None = Field(description="Where it ends, seconds from call start.")
    text: str = Field(description="What was heard, as received.")


class FlagRecord(_FlagRecord):
    """One explained reason for a person to look."""

    schema_version: _Version
    call_id: _CallId
    sequence: _Sequence
    segment: FlaggedSegmentRecord = Field(description="The segment, so that this topic alone can be judged.")
    tenant: _Tenant
    asr: _Recogniser


class AssessmentRecord(_Record):
    """All signals of a segment, its quality and its risk."""

    schema_version: _Version
    id: _Id
    call_id: _CallId
    sequence: _Sequence
    speaker: Speaker = Field(description="Who speaks.")
    start: _Seconds | None = Field(description="Where the segment begins, seconds from call start.")
    end: _Seconds | None = Field(description="Where it ends, seconds from call start.")
    late: bool = Field(description="Whether a later segment of the call had been assessed before.")
    revision: bool = Field(description="Whether the segment came before with other content.")
    risk: _Share = Field(description="Probability that a clinician would misunderstand it significantly.")
    quality: _Quality
    quality_recommendation: _QualityRecommendation
    signals: dict[str, SignalRecord] = Field(
        description="Each signal by name; `NAME_simple` is its published form."
    )
    flags: list[AssessmentFlagRecord] = Field(description="Reasons for a person to look.")
    tenant: _Tenant
    asr: _Recogniser
    received_at: datetime | None = Field(description="When the segment was received, as it said.")


class CallRecord(_Record):
    """What a call came to."""

    schema_version: _Version
    id: _Id
    call_id: _CallId
    recommendation: Recommendation = Field(description="What risk and flags say under the alert budget.")
    risk: _Share = Field(description="Mean risk of the worst segments.")
    quality: _Quality
    quality_recommendation: _QualityRecommendation
    segments: int = Field(ge=0, description="How many were assessed.")
    duration_seconds: _Seconds | None = Field(description="From the first segment's start to the last's end.")
    flags_by_severity: dict[Severity, int] = Field(description="How many flags of each severity.")
    worst_segments: list[Annotated[int, Field(ge=0)]] = Field(
        description="Sequences of the riskiest segments, worst first."
    )
    ended_by: Literal["event", "silence", "end_of_input"] = Field(description="Why it counts as over.")
    tenant: _Tenant
    asr: _Recogniser


class StateRecord(_Record):
    """The state of a call, as it moves to another replica. For Auscult alone: its inside may change any time."""

    schema_version: _Version
    call_id: _CallId
    topic: str = Field(description="The topic that the call is read from.")
    offset: int = Field(ge=0, description="The last record that the state includes.")
    read_from: int = Field(ge=0, description="Where the group would have read on when it was written.")
    ended: bool = Field(description="Whether the call is over and summarised.")
    state: dict[str, Any] = Field(description="What was said and found, with a version of its own.")


class DeadLetterHeaders(_Record):
    """Headers of a record that could not be read; its value is the original's, whatever that is."""

    origin_topic: str = Field(alias="origin-topic", description="Where it was read: the topic.")
    origin_partition: str = Field(alias="origin-partition", description="The partition.")
    origin_offset: str = Field(alias="origin-offset", description="The offset.")
    origin_timestamp: str = Field(
        alias="origin-timestamp", description="The record's own time, milliseconds since 1970."
    )
    error_kind: ErrorKind = Field(alias="error-kind", description="Why it cannot be read.")
    error_place: str = Field(
        alias="error-place", description="The field, such as words[3].start; empty: the record."
    )
    content_type: Literal["application/octet-stream"] = Field(
        alias="content-type", description="Nothing is promised of the value."
    )
    error_adapter: str | None = Field(
        None,
        alias="error-adapter",
        description="The recogniser's format it was read as; absent: Auscult's own.",
    )
    truncated_value_bytes: str | None = Field(
        None, alias="truncated-value-bytes", description="Size of the original value, where it was cut."
    )
    truncated_key_bytes: str | None = Field(
        None, alias="truncated-key-bytes", description="Size of the original key, where it was cut."
    )
    truncated_header_bytes: str | None = Field(
        None,
        alias="truncated-header-bytes",
        description="Size of the original headers, where they were left out. Else each is here, its name after "
        "`origin-header-`.",
    )
