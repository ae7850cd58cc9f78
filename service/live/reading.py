"""From a poll's raw records to messages for the monitor, dead letters, and counts of what was odd.

As much is read as is assessed at once; what is left of a poll is its next part.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from streams.adapters.conversion import Converted, RecogniserFormat, convert
from streams.adapters.delivery import Delivery
from streams.broker import Record
from streams.dead_letters import DeadLetter, Origin, dead_letter
from streams.decoding import Ignored, IgnoredReason, Limits, MalformedRecord, decode
from streams.fields import ErrorKind, InputOddity
from streams.messages import CallEnded, Segment


@dataclass(frozen=True, slots=True)
class WorkBound:
    """How much is assessed at once.

    A record is not divided, since a call's state says which records it includes: one alone may be more.

    Attributes:
        segments: A recogniser's record may hold several.
        characters: Of their text: about four are a token, and tokens are what a model's time goes by.
    """

    segments: int
    characters: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Records from the front of a poll, read.

    Attributes:
        records: Which ones.
        messages: What the monitor is given, in the order of the poll.
        sources: The record of each message; one record may hold several.
        dead_letters: What could not be read.
        rejected: The record of each dead letter.
        errors: Why it could not, counted.
        ignored: What says nothing, counted.
        oddities: What was odd but read, counted.
    """

    records: list[Record] = field(default_factory=list, repr=False)
    messages: list[Segment | CallEnded] = field(default_factory=list, repr=False)
    sources: list[Record] = field(default_factory=list, repr=False)
    dead_letters: list[DeadLetter] = field(default_factory=list)
    rejected: list[Record] = field(default_factory=list, repr=False)
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    ignored: Counter[IgnoredReason] = field(default_factory=Counter)
    oddities: Counter[InputOddity] = field(default_factory=Counter)


def read_records(
    records: Sequence[Record], limits: Limits, formats: Mapping[str, RecogniserFormat], bound: WorkBound
) -> Reading:
    """Reads as many records from the front as may be assessed at once, and at least one.

    Each is read by itself: one that is wrong becomes a dead letter and leaves its neighbours alone.

    Args:
        records: Of one poll.
        limits: The largest input that is read.
        formats: How the topics of recognisers are read, by topic; any other holds Auscult's own messages.
        bound: How much may be assessed at once.
    """
    reading = Reading()
    segments = characters = 0
    for record in records:
        try:
            converted = _read(record, limits, formats.get(record.topic))
        except MalformedRecord as error:
            _refuse(reading, record, error)
            continue
        spoken = _segments(converted)
        segments += len(spoken)
        characters += sum(len(segment.text) for segment in spoken)
        if spoken and reading.messages and (segments > bound.segments or characters > bound.characters):
            break
        _take(reading, record, converted)
    return reading


def _refuse(reading: Reading, record: Record, error: MalformedRecord) -> None:
    reading.records.append(record)
    reading.errors[error.kind] += 1
    reading.dead_letters.append(dead_letter(_origin(record), record.value or b"", error))
    reading.rejected.append(record)


def _take(reading: Reading, record: Record, converted: Converted) -> None:
    reading.records.append(record)
    reading.oddities.update(converted.oddities)
    if isinstance(converted.messages, Ignored):
        reading.ignored[converted.messages.reason] += 1
    else:
        reading.messages.extend(converted.messages)
        reading.sources.extend([record] * len(converted.messages))


def _segments(converted: Converted) -> list[Segment]:
    if isinstance(converted.messages, Ignored):
        return []
    return [message for message in converted.messages if isinstance(message, Segment)]


def _read(record: Record, limits: Limits, format_: RecogniserFormat | None) -> Converted:
    if format_ is not None:
        return convert(record.value, Delivery(record.key, record.headers), format_, limits)
    message, oddities = decode(record.value, limits)
    return Converted(message if isinstance(message, Ignored) else (message,), oddities)


def _origin(record: Record) -> Origin:
    return Origin(record.topic, record.partition, record.offset, record.timestamp, record.key, record.headers)
