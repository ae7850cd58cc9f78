"""How long the service needs to catch up after it was away while callers went on, with and without shedding.

    python -m benchmarks.catch_up --calls 40 --minutes 2

Callers speak to the broker for so many minutes before the service is started, and go on speaking while it catches up.
It has caught up once nothing that was said more than a second ago waits for its assessment. The same callers say the
same to a service that measures everything and to one that leaves signals out; broker, service and callers share the
machine. Each time counts from the moment at which the service is ready.
"""

import argparse
import asyncio
import dataclasses
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from benchmarks.calls import recordings
from benchmarks.live_load import broker, live_settings
from benchmarks.process_usage import cpu_seconds
from benchmarks.results import Row, write_json
from benchmarks.traffic import Timed, interleaved, telephone_line
from service.demo.process import ServiceProcess, service_process
from service.settings import Settings, SheddingSettings, load_settings
from service.signals.base import SHED
from streams.administration import create_topics
from streams.encoding import encode_call_ended, segment_fields
from streams.messages import CallEnded, Segment

CAUGHT_UP_SECONDS: Final = 1.0
PATIENCE_SECONDS: Final = 1_800.0
SHEDDING: Final = ("contradiction", "embedding_drift", "entity_validity")


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """How one service caught up.

    Attributes:
        shed: What it left out.
        backlog: Segments that waited when it was ready.
        seconds: Until it had caught up.
        segments: Assessed meanwhile.
        shed_segments: Of these, assessed without the signals that are left out.
        cpu_ms_per_segment: CPU time of the service over these segments.
    """

    shed: tuple[str, ...]
    backlog: int
    seconds: float
    segments: int
    shed_segments: int
    cpu_ms_per_segment: float

    def row(self, everything: "CaughtUp") -> Row:
        """As it is written down, beside one that measured everything."""
        return dataclasses.asdict(self) | {
            "shed": ", ".join(self.shed) or "nothing",
            "segments_per_second": round(self.segments / self.seconds, 1),
            "times_as_fast": round(everything.seconds / self.seconds, 2),
        }


@dataclass(slots=True)
class Waiting:
    """Segments that were said and are not assessed yet, in the order in which they were said."""

    said: dict[tuple[str, int], float] = field(default_factory=dict, repr=False)
    assessed: int = 0
    shed: int = 0

    def say(self, segment: Segment, at: float) -> None:
        """A segment was said at a time, seconds since 1970."""
        self.said[segment.call_id, segment.sequence] = at

    def assess(self, assessment: bytes) -> None:
        """An assessment has come."""
        fields = orjson.loads(assessment)
        if self.said.pop((fields["call_id"], fields["sequence"]), None) is not None:
            self.assessed += 1
            self.shed += any(reading["absent"] == SHED for reading in fields["signals"].values())

    def longest(self, now: float) -> float:
        """How long ago the first of them was said, in seconds; 0 when none waits."""
        return now - next(iter(self.said.values()), now)


@dataclass(frozen=True, slots=True)
class Callers:
    """Callers who speak in real time from a moment on, which may have passed."""

    producer: AIOKafkaProducer
    topic: str
    traffic: Iterator[Timed]
    waiting: Waiting

    async def speak(self, began: float, backlog_is_there: asyncio.Event) -> None:
        """Says everything when it is due, or at once when that has passed; sets the event before it first waits."""
        for due, message in self.traffic:
            if (ahead := began + due - time.time()) > 0:
                backlog_is_there.set()
                await asyncio.sleep(ahead)
            if isinstance(message, Segment):
                self.waiting.say(message, began + due)
            written = round((began + due) * 1000)
            await self.producer.send(
                self.topic, _encoded(message), message.call_id.encode(), timestamp_ms=written
            )


async def catch_up(settings: Settings, calls: int, minutes: float) -> CaughtUp:
    """Measures one service.

    Raises:
        TimeoutError: it did not catch up within `PATIENCE_SECONDS`.
    """
    names = settings.kafka.topics.names()
    connection = settings.kafka.connection()
    await create_topics(
        connection, names, partitions=settings.kafka.partitions, replication=settings.kafka.replication
    )
    lines = [telephone_line(recordings().calls, f"line-{number}") for number in range(calls)]
    waiting, backlog_is_there = Waiting(), asyncio.Event()
    options = connection.client_options()
    async with AIOKafkaProducer(**options, acks="all") as producer, _assessments(settings) as consumer:
        callers = Callers(producer, names.segments, interleaved(lines), waiting)
        speaking = asyncio.create_task(callers.speak(time.time() - minutes * 60, backlog_is_there))
        try:
            await backlog_is_there.wait()
            async with service_process(settings) as service:
                await service.ready()
                return await service.while_running(_until_caught_up(settings, consumer, waiting, service))
        finally:
            speaking.cancel()
            await asyncio.wait({speaking})


async def _until_caught_up(
    settings: Settings, consumer: AIOKafkaConsumer, waiting: Waiting, service: ServiceProcess
) -> CaughtUp:
    began, cpu, backlog = time.monotonic(), cpu_seconds(service.pid), len(waiting.said)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while waiting.longest(time.time()) > CAUGHT_UP_SECONDS:
            for records in (await consumer.getmany(timeout_ms=100)).values():
                for record in records:
                    waiting.assess(record.value)
    seconds, used = time.monotonic() - began, cpu_seconds(service.pid) - cpu
    return CaughtUp(
        shed=settings.kafka.shedding.signals,
        backlog=backlog,
        seconds=round(seconds, 1),
        segments=waiting.assessed,
        shed_segments=waiting.shed,
        cpu_ms_per_segment=round(1000 * used / waiting.assessed, 1),
    )


@asynccontextmanager
async def _assessments(settings: Settings) -> AsyncIterator[AIOKafkaConsumer]:
    options = settings.kafka.connection().client_options()
    topic = settings.kafka.topics.names().assessments
    async with AIOKafkaConsumer(**options, auto_offset_reset="earliest", fetch_max_wait_ms=50) as consumer:
        consumer.assign([TopicPartition(topic, number) for number in range(settings.kafka.partitions)])
        yield consumer


def _encoded(message: Segment | CallEnded) -> bytes:
    return (
        encode_call_ended(message)
        if isinstance(message, CallEnded)
        else orjson.dumps(segment_fields(message))
    )


def _settings(bootstrap: str, shed: Sequence[str], *, idempotence: bool) -> Settings:
    settings = live_settings(load_settings(), bootstrap, idempotence=idempotence)
    shedding = SheddingSettings(**{**dict(settings.kafka.shedding), "signals": tuple(shed)})
    return settings.model_copy(update={"kafka": settings.kafka.model_copy(update={"shedding": shedding})})


def main() -> None:
    """Measures and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--calls", type=int, default=40, help="callers at once")
    parser.add_argument("--minutes", type=float, default=2.0, help="how long the service is away")
    parser.add_argument("--shed", nargs="+", default=SHEDDING, help="signals that are left out")
    parser.add_argument("--bootstrap", help="host:port of a broker of yours; else an embedded one")
    parser.add_argument("--output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    measured = []
    with broker(arguments.bootstrap) as address:
        for shed in ((), arguments.shed):
            settings = _settings(address, shed, idempotence=arguments.bootstrap is not None)
            measured.append(asyncio.run(catch_up(settings, arguments.calls, arguments.minutes)))
            sys.stderr.write(f"{measured[-1]}\n")
    rows = [one.row(measured[0]) for one in measured]
    write_json(arguments.output, "catch_up", rows, recordings().source)


if __name__ == "__main__":
    main()
