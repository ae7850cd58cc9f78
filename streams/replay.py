"""Sending recorded calls in their own time: each segment when the recogniser gave it, each call beside the others."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson
from aiokafka import AIOKafkaProducer

from streams.adapters.conversion import RecogniserFormat, convert
from streams.adapters.delivery import Delivery
from streams.broker import MAX_REQUEST_BYTES
from streams.connection import Connection
from streams.decoding import Ignored, Limits, MalformedRecord, decode
from streams.encoding import encode_call_ended, segment_fields
from streams.messages import CallEnded, Segment

ENDED_AFTER_SECONDS: Final = 2.0
"""A recording does not say when its call ended: so long after its last segment."""


class InvalidRecording(Exception):
    """A recording cannot be read. Names the file, the line and what is wrong, and holds nothing of its text."""


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """One segment of a recording.

    Attributes:
        call_id: Its call.
        at: When the recogniser gave it, seconds from call start.
        fields: The line as it was, unknown fields included.
    """

    call_id: str
    at: float
    fields: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a replay is: segments and whole calls sent and acknowledged."""

    segments: int
    calls: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How time passes.

    Attributes:
        speed: Recorded seconds per second; 0: as fast as the broker takes them.
        now: The time that `received_at` is set from.
        sleep: Waits for so many seconds.
    """

    speed: float
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def read_recordings(
    files: Sequence[Path],
    prefix: str = "",
    limits: Limits | None = None,
    format_: RecogniserFormat | None = None,
) -> list[RecordedLine]:
    """Reads recordings: JSON Lines of segments, or of a recogniser's messages, which become segments.

    Args:
        files: The recordings. One of segments may hold several calls, and a call may go over several; one of a
            recogniser's messages is one call, named as the file; if its name ends in `.json`, it is one message.
        prefix: Put before every call id, to keep recordings of the same call apart.
        limits: The largest segment; None: the default limits.
        format_: The recogniser's format; None: segments.

    Returns:
        Every segment in the order of the files; non-final ones and ends of calls are left out.

    Raises:
        InvalidRecording: a line is no segment, or no message of the recogniser.
        OSError: a file cannot be read.
    """
    return [line for file in files for line in _read(file, prefix, limits or Limits(), format_)]


def _read(
    file: Path, prefix: str, limits: Limits, format_: RecogniserFormat | None
) -> Iterator[RecordedLine]:
    latest: defaultdict[str, float] = defaultdict(float)
    for number, line in enumerate(_lines(file, format_), start=1):
        if not line.strip():
            continue
        try:
            spoken = _segments(line, file, limits, format_)
        except MalformedRecord as error:
            raise InvalidRecording(f"{file}:{number}: {error}") from None
        for segment, fields in spoken:
            at = latest[segment.call_id] = max(latest[segment.call_id], _moment(segment, fields))
            yield RecordedLine(prefix + segment.call_id, at, fields)


def _lines(file: Path, format_: RecogniserFormat | None) -> list[bytes]:
    content = file.read_bytes()
    return [content] if format_ is not None and file.suffix == ".json" else content.splitlines()


def _segments(
    line: bytes, file: Path, limits: Limits, format_: RecogniserFormat | None
) -> list[tuple[Segment, dict[str, Any]]]:
    """The segments of a line, with their fields: as they were, or as they are written."""
    if format_ is None:
        message = decode(line, limits).message
        return [(message, orjson.loads(line))] if isinstance(message, Segment) else []
    converted = convert(line, Delivery(file.stem.encode()), format_, limits).messages
    messages = () if isinstance(converted, Ignored) else converted
    return [(message, segment_fields(message)) for message in messages if isinstance(message, Segment)]


def _moment(segment: Segment, fields: dict[str, Any]) -> float:
    """When the recogniser gave a segment, seconds from call start; 0 if the recording does not say."""
    received = fields.get("received")
    if isinstance(received, int | float) and not isinstance(received, bool):
        return float(received)
    return next((time for time in (segment.end, segment.start) if time is not None), 0.0)


async def replay(
    lines: Sequence[RecordedLine],
    connection: Connection,
    topic: str,
    pace: Pace,
    report: Callable[[Progress], None] = lambda _progress: None,
) -> Progress:
    """Sends recorded calls, all of them at once, each followed by the message that it ended.

    Args:
        lines: The segments; within a call they are sent in this order.
        connection: How to reach Kafka.
        topic: Where to.
        pace: How time passes.
        report: Told after every acknowledged segment and call.

    Returns:
        What was sent and acknowledged.

    Raises:
        aiokafka.errors.KafkaError: a record was not acknowledged.
    """
    progress = Progress(0, 0)
    started = asyncio.get_running_loop().time()

    def acknowledged(segments: int, calls: int) -> None:
        nonlocal progress
        progress = replace(progress, segments=progress.segments + segments, calls=progress.calls + calls)
        report(progress)

    async def send(producer: AIOKafkaProducer, moment: "_Moment") -> "asyncio.Future[Any]":
        if pace.speed:
            due = started + moment.at / pace.speed
            await pace.sleep(max(0.0, due - asyncio.get_running_loop().time()))
        value = moment.record(pace.now())
        sent: asyncio.Future[Any] = await producer.send(topic, value, moment.call_id.encode())
        sent.add_done_callback(lambda done: _count(done, acknowledged, moment))
        return sent

    producer = AIOKafkaProducer(**connection.client_options(), acks="all", max_request_size=MAX_REQUEST_BYTES)
    try:
        await producer.start()
        await asyncio.gather(*[await send(producer, moment) for moment in _timeline(lines)])
    finally:
        await producer.stop()
    return progress


@dataclass(frozen=True, slots=True)
class _Moment:
    """A record that is due: a segment, or the end of its call when there are no fields."""

    at: float
    call_id: str
    fields: dict[str, Any] | None = field(repr=False)

    def record(self, now: datetime) -> bytes:
        if self.fields is None:
            return encode_call_ended(CallEnded(call_id=self.call_id, ended_at=now))
        return orjson.dumps({**self.fields, "call_id": self.call_id, "received_at": _rfc3339(now)})


def _timeline(lines: Iterable[RecordedLine]) -> list[_Moment]:
    """All segments and ends of calls in the order in which they are due; a call's own order is kept."""
    last: dict[str, float] = {}
    moments = []
    for line in lines:
        last[line.call_id] = max(line.at, last.get(line.call_id, 0.0))
        moments.append(_Moment(last[line.call_id], line.call_id, line.fields))
    moments += [_Moment(at + ENDED_AFTER_SECONDS, call_id, None) for call_id, at in last.items()]
    return sorted(moments, key=lambda moment: moment.at)


def _count(done: "asyncio.Future[Any]", acknowledged: Callable[[int, int], None], moment: _Moment) -> None:
    if not done.cancelled() and done.exception() is None:
        acknowledged(int(moment.fields is not None), int(moment.fields is None))


def _rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
