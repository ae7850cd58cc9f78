"""From a poll's raw records to messages for the monitor, dead letters, and counts of what was odd."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from streams.broker import Record
from streams.dead_letters import DeadLetter, Origin, dead_letter
from streams.decoding import Ignored, IgnoredReason, Limits, MalformedRecord, decode
from streams.fields import ErrorKind, InputOddity
from streams.messages import CallEnded, Segment


@dataclass(frozen=True, slots=True)
class Reading:
    """A poll, read.

    Attributes:
        messages: What the monitor is given, in the order of the poll.
        sources: The record of each message.
        dead_letters: What could not be read.
        errors: Why it could not, counted.
        ignored: What says nothing, counted.
        oddities: What was odd but read, counted.
    """

    messages: list[Segment | CallEnded] = field(default_factory=list, repr=False)
    sources: list[Record] = field(default_factory=list, repr=False)
    dead_letters: list[DeadLetter] = field(default_factory=list)
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    ignored: Counter[IgnoredReason] = field(default_factory=Counter)
    oddities: Counter[InputOddity] = field(default_factory=Counter)


def read_records(records: Sequence[Record], limits: Limits) -> Reading:
    """Decodes each record by itself: one that is wrong becomes a dead letter and leaves its neighbours alone."""
    reading = Reading()
    for record in records:
        try:
            message, oddities = decode(record.value, limits)
        except MalformedRecord as error:
            reading.errors[error.kind] += 1
            reading.dead_letters.append(dead_letter(_origin(record), record.value or b"", error))
            continue
        reading.oddities.update(oddities)
        if isinstance(message, Ignored):
            reading.ignored[message.reason] += 1
        else:
            reading.messages.append(message)
            reading.sources.append(record)
    return reading


def _origin(record: Record) -> Origin:
    return Origin(record.topic, record.partition, record.offset, record.timestamp, record.key)
