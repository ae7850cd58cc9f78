"""A live service around an observer that computes nothing, on a real broker."""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from prometheus_client import CollectorRegistry

from service.clock import Clock
from service.live.app import LiveService
from service.metrics import AllowedLabels, Metrics
from service.observation import Observation
from service.settings import HttpSettings, KafkaSettings, Settings, TopicSettings
from streams.administration import create_topics
from streams.connection import Connection
from streams.identity import assessment_id, flag_id, summary_id
from streams.messages import Assessment, CallEnded, CallSummary, Flag, Segment, SignalReading
from streams.topics import TopicNames
from tests.kafka import WAIT_SECONDS, broker_address

__all__ = ["broker_address"]


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
    forgotten: list[str] = field(default_factory=list)
    seen: dict[str, dict[int, str]] = field(default_factory=dict)

    def observe(self, batch: Sequence[Segment | CallEnded], now: float) -> Observation:
        self.before(batch)
        self.batches.append(len(batch))
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

    def finish(self) -> Observation:
        return Observation(summaries=tuple(map(self._summary, list(self.seen))))

    @property
    def open_calls(self) -> int:
        return len(self.seen)

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

    def settings(self) -> Settings:
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


@pytest.fixture
async def bench(broker_address: str) -> Bench:
    prefix = f"t{uuid.uuid4().hex[:12]}"
    names = TopicNames().prefixed(f"{prefix}.")
    await create_topics(Connection((broker_address,)), names, partitions=3, replication=1)
    return Bench(broker_address, prefix, names)
