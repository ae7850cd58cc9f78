"""A live service around an observer that computes nothing, on a real broker."""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from benchmarks.apache_kafka.broker import ApacheKafka
from service.clock import Clock
from service.live.app import LiveService
from service.metrics import AllowedLabels, Metrics
from service.observation import Observation, StateUnreadable, WorstFlag
from service.settings import HttpSettings, KafkaSettings, Settings, TopicSettings
from streams.administration import create_topics
from streams.connection import Connection
from streams.identity import assessment_id, flag_id, summary_id
from streams.messages import Assessment, CallEnded, CallSummary, Flag, Segment, SignalReading
from streams.topics import TopicNames
from tests.kafka import WAIT_SECONDS, broker_address, kafka_address, own_kafka

__all__ = ["broker_address", "kafka_address", "own_kafka"]


def assess(segment: Segment, *, revision: bool = False, late: bool = False) -> Assessment:
    flag = Flag(
        id=flag_id(segment.call_id, segment.sequence, "misheard_term", (0, 1)),
        call_id=segment.call_id,
        sequence=segment.sequence,
        type="misheard_term",
        severity="high",
        span=(0, 1),
        reason="for_the_test",
        explanation=segment.text,
    )
    return Assessment(
        id=assessment_id(segment.call_id, segment.sequence),
        segment=segment,
        late=late,
        revision=revision,
        risk=0.5,
        quality=0.7,
        quality_recommendation="REVIEW",
        signals={"perplexity": SignalReading(12.0, 0.5), "drift": SignalReading(None, None, absent="short")},
        flags=(flag,) if "flag" in segment.text else (),
    )


@dataclass
class PlainObserver:
    """Follows calls as the monitor does, without computing anything."""

    before: Callable[[Sequence[Segment | CallEnded]], None] = lambda batch: None
    silent_calls: list[str] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    shed: list[frozenset[str]] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    restored: dict[str, float] = field(default_factory=dict)
    seen: dict[str, dict[int, str]] = field(default_factory=dict)

    def observe(
        self, batch: Sequence[Segment | CallEnded], now: float, shed: Collection[str] = ()
    ) -> Observation:
        self.before(batch)
        self.batches.append(len(batch))
        self.shed.append(frozenset(shed))
        oddities: Counter[str] = Counter()
        assessments = []
        summaries = []
        for message in batch:
            if isinstance(message, CallEnded):
                summaries.append(self._summary(message.call_id))
                continue
            call = self.seen.setdefault(message.call_id, {})
            known = call.get(message.sequence)
            if known == message.text:
                oddities["repeated"] += 1
                continue
            late = known is None and bool(call) and message.sequence < max(call)
            oddities.update({"revised": known is not None, "late": late})
            call[message.sequence] = message.text
            assessments.append(assess(message, revision=known is not None, late=late))
        counted = {kind: count for kind, count in oddities.items() if count}
        return Observation(tuple(assessments), tuple(summaries), counted)  # type: ignore[arg-type]

    def silent(self, now: float) -> Observation:
        silent, self.silent_calls = self.silent_calls, []
        return Observation(
            summaries=tuple(replace(self._summary(call), ended_by="silence") for call in silent)
        )

    def forget(self, call_ids: Sequence[str]) -> None:
        self.forgotten.extend(call_ids)
        for call_id in call_ids:
            self.seen.pop(call_id, None)

    def snapshots(self, call_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        return {
            call_id: {"seen": [[sequence, text] for sequence, text in self.seen[call_id].items()]}
            for call_id in call_ids
            if call_id in self.seen
        }

    def restore(self, call_id: str, state: Mapping[str, Any], last_heard: float) -> None:
        if "seen" not in state:
            raise StateUnreadable("no lines")
        self.restored[call_id] = last_heard
        self.seen[call_id] = dict(state["seen"])

    def finish(self) -> Observation:
        return Observation(summaries=tuple(map(self._summary, list(self.seen))))

    @property
    def open_calls(self) -> int:
        return len(self.seen)

    def calls_by_worst_flag(self) -> dict[WorstFlag, int]:
        return {"none": len(self.seen)}

    def _summary(self, call_id: str) -> CallSummary:
        return CallSummary(
            id=summary_id(call_id),
            call_id=call_id,
            segments=len(self.seen.pop(call_id, {})),
            duration_seconds=None,
            risk=0.5,
            quality=0.7,
            quality_recommendation="REVIEW",
            recommendation="REVIEW",
            flags_by_severity={},
            worst_segments=(),
            ended_by="event",
        )


@dataclass
class Bench:
    """Topics of one test, and the means to run services on them."""

    address: str
    prefix: str
    names: TopicNames

    def settings(self, **changes: Any) -> Settings:
        """Settings for this bench; `changes` are of `kafka`."""
        settings = self._settings()
        kafka = KafkaSettings(**{**dict(settings.kafka), **changes})
        return settings.model_copy(update={"kafka": kafka})

    def _settings(self) -> Settings:
        return Settings(
            kafka=KafkaSettings(
                bootstrap_servers=(self.address,),
                group=self.prefix,
                topics=TopicSettings(prefix=f"{self.prefix}."),
                idempotence=False,
                session_seconds=6,
                heartbeat_seconds=1,
                drain_seconds=10,
            ),
            http=HttpSettings(host="127.0.0.1", port=0),
        )

    @asynccontextmanager
    async def service(
        self, observer: PlainObserver, settings: Settings | None = None
    ) -> AsyncIterator["Running"]:
        """Runs a service; on leaving, stops it and raises what it ended with."""
        settings = settings or self.settings()
        labels = AllowedLabels(tenant=frozenset({"north"}), asr_provider=frozenset({"acme"}))
        metrics = Metrics(CollectorRegistry(), labels)
        service = LiveService(settings, observer, metrics, Clock())
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(service.run(port.set_result))
        try:
            yield Running(service, metrics, await port, task)
        finally:
            service.stop()
            await task


@dataclass
class Running:
    """A service that runs."""

    service: LiveService
    metrics: Metrics
    port: int
    task: "asyncio.Task[None]"

    def value(self, name: str, **labels: str) -> float | None:
        return self.metrics.registry.get_sample_value(name, labels)


async def until(condition: Callable[[], bool]) -> None:
    """Returns once a condition holds; fails when it does not within `WAIT_SECONDS`."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come about"
        await asyncio.sleep(0.02)


async def new_bench(address: str) -> Bench:
    prefix = f"t{uuid.uuid4().hex[:12]}"
    names = TopicNames().prefixed(f"{prefix}.")
    await create_topics(Connection((address,)), names, partitions=3, replication=1)
    return Bench(address, prefix, names)


@pytest.fixture
async def bench(broker_address: str) -> Bench:
    """On the embedded broker."""
    return await new_bench(broker_address)


@pytest.fixture
async def kafka_bench(kafka_address: str) -> Bench:
    """On a real Apache Kafka."""
    return await new_bench(kafka_address)


@pytest.fixture
async def own_bench(own_kafka: ApacheKafka) -> Bench:
    """On an Apache Kafka that the test may stop and kill."""
    return await new_bench(own_kafka.address)
