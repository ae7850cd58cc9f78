"""Where a case plays: topics of its own on the broker, traffic, replicas, and the reading of what came of it."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from benchmarks.apache_kafka.broker import ApacheKafka
from benchmarks.faults.outcome import Expected, Outcome, judge
from benchmarks.faults.replica import Replica
from benchmarks.faults.traffic import Message, encoded, quiet_run
from service.settings import KafkaSettings, LogSettings, Settings, TopicSettings, load_settings
from streams.administration import create_topics
from streams.broker import Record
from streams.topics import TopicNames

PARTITIONS: Final = 6
_SENT_WITHIN_MS: Final = 300_000
"""Records wait so long for a broker that is away; after that the client drops them."""

SETTLED_SECONDS: Final = 90.0
"""What is not assessed so long after the last fault is lost."""

_PAUSE_SECONDS: Final = 0.5
"""Between two looks at what has come."""


@dataclass
class Stage:
    """One case on one broker with one way of delivery."""

    kafka: ApacheKafka
    case: str
    delivery: str
    folder: Path
    short: bool
    prefix: str = field(default_factory=lambda: f"f{uuid.uuid4().hex[:8]}")
    faults_at: list[float] = field(default_factory=list)

    @property
    def names(self) -> TopicNames:
        """The case's topics."""
        return TopicNames().prefixed(f"{self.prefix}.")

    def settings(self, member: str | None = None, **kafka: Any) -> Settings:
        """The service's settings; a member that comes back under its name has its partitions at once."""
        own = load_settings()
        return own.model_copy(
            update={
                "kafka": KafkaSettings(
                    bootstrap_servers=(self.kafka.address,),
                    group=self.prefix,
                    member=member,
                    topics=TopicSettings(prefix=f"{self.prefix}."),
                    delivery=self.delivery,
                    session_seconds=6,
                    heartbeat_seconds=1,
                    drain_seconds=10,
                    **kafka,
                ),
                "logs": LogSettings(level="info"),
            }
        )

    async def prepare(self) -> None:
        """Creates the topics."""
        connection = self.settings().kafka.connection()
        await create_topics(connection, self.names, partitions=PARTITIONS, replication=1)

    @asynccontextmanager
    async def replica(self, member: str | None = None, **options: Any) -> AsyncIterator[Replica]:
        """A replica that is started and ready; killed at the end if it is still there.

        Args:
            member: Its static name in the group.
            options: `environment` and `module` as for `Replica`; the rest are settings of `kafka`.
        """
        own = {name: options.pop(name) for name in ("environment", "module") if name in options}
        log = self.folder / f"{self.case}-{self.delivery}-{member or 'replica'}.log"
        replica = Replica(self.settings(member, **options), log, **own)
        await replica.start()
        try:
            await replica.ready()
            yield replica
        finally:
            await replica.kill()

    async def send(self, messages: Sequence[Message], seconds: float = 0.0) -> None:
        """Sends messages, evenly over so many seconds, and returns once all are acknowledged."""
        await self.send_raw([encoded(message) for message in messages], seconds)

    async def send_raw(self, records: Sequence[tuple[bytes, bytes]], seconds: float = 0.0) -> None:
        """Sends keys and values; waits for a broker that is away."""
        began = time.monotonic()
        async with AIOKafkaProducer(
            bootstrap_servers=self.kafka.address,
            acks="all",
            enable_idempotence=True,
            request_timeout_ms=_SENT_WITHIN_MS,
        ) as producer:
            sent = []
            for number, (key, value) in enumerate(records):
                ahead = began + seconds * number / len(records) - time.monotonic()
                if ahead > 0:
                    await asyncio.sleep(ahead)
                sent.append(await producer.send(self.names.segments, value, key))
            await asyncio.gather(*sent)

    def fault(self) -> None:
        """Notes that something is broken now."""
        self.faults_at.append(time.time())

    async def judged(self, messages: Sequence[Message], **notes: Any) -> Outcome:
        """What came of messages that were sent; waits until all of it is there, or counts as lost."""
        return await self.judged_against(
            await asyncio.to_thread(quiet_run, messages, self.settings()), **notes
        )

    async def judged_against(self, expected: Expected, **notes: Any) -> Outcome:
        """What came of it, held against what should have come."""
        deadline = time.monotonic() + SETTLED_SECONDS
        while True:
            assessments = await self.read(self.names.assessments)
            summaries = await self.read(self.names.calls)
            outcome = judge(
                self.case, self.delivery, expected, assessments, summaries, self.faults_at, **notes
            )
            if not outcome.lost or time.monotonic() > deadline:
                return outcome
            await asyncio.sleep(_PAUSE_SECONDS)

    async def at_work(self, segments: int) -> None:
        """Returns once so many more segments have an assessment: the service is in the midst of its work."""
        begun = await self.assessed()
        async with asyncio.timeout(SETTLED_SECONDS):
            while await self.assessed() < begun + segments:  # noqa: ASYNC110 - only the topic can tell
                await asyncio.sleep(_PAUSE_SECONDS)

    async def assessed(self) -> int:
        """How many segments have an assessment now."""
        return len({orjson.loads(record.value)["id"] for record in await self.read(self.names.assessments)})

    async def read(self, topic: str) -> list[Record]:
        """All that a reader of committed records finds in a topic."""
        partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
        async with AIOKafkaConsumer(
            bootstrap_servers=self.kafka.address,
            isolation_level="read_committed",
            auto_offset_reset="earliest",
        ) as consumer:
            consumer.assign(partitions)
            ends = await consumer.end_offsets(partitions)
            records: list[Record] = []
            while [each for each in partitions if await consumer.position(each) < ends[each]]:
                for polled in (await consumer.getmany(timeout_ms=100)).values():
                    records.extend(polled)
        return records
