"""One poll from its records to its committed offsets: read, observe in a thread, publish, commit, count."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition

from service.clock import Clock
from service.live.ownership import Ownership
from service.live.reading import Reading, read_records
from service.metrics import Metrics
from service.observation import Observation, Observer
from streams.adapters.conversion import RecogniserFormat
from streams.broker import Record
from streams.decoding import Limits
from streams.messages import CallEnded, Segment
from streams.offsets import commit, next_offsets
from streams.publishing import (
    Output,
    Publisher,
    assessment_outputs,
    dead_letter_outputs,
    summary_outputs,
)

_log = structlog.get_logger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PollBounds:
    """How much work one poll may be.

    Attributes:
        limits: The largest input that is read.
        characters: Text that is assessed at once; a poll with more is assessed in several goes.
        commit_seconds: How long a commit may take before reading goes on without it.
    """

    limits: Limits
    characters: int
    commit_seconds: float


class PollProcessor:
    """Takes polls one at a time. Its methods may be awaited from several tasks: each waits for its turn.

    The observer runs in one thread of its own, so that heartbeats and probes go on while models compute.
    """

    def __init__(
        self,
        observer: Observer,
        publisher: Publisher,
        metrics: Metrics,
        clock: Clock,
        bounds: PollBounds,
        formats: Mapping[str, RecogniserFormat],
    ) -> None:
        self.ownership = Ownership()
        self._observer = observer
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock
        self._bounds = bounds
        self._formats = formats
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="monitor")

    async def process(self, consumer: AIOKafkaConsumer, records: Sequence[Record]) -> None:
        """Takes a poll to its end: everything that it brings about is acknowledged, then it is committed.

        Raises:
            aiokafka.errors.KafkaError: an output was not acknowledged. Nothing is committed.
            Exception: the observer failed. Nothing is committed.
        """
        async with self._turn:
            self._metrics.poll_records.observe(len(records))
            self._forget_overtaken(records)
            with self._timed("read"):
                reading = read_records(records, self._bounds.limits, self._formats)
            self._count(reading)
            await self._publish(dead_letter_outputs(reading.dead_letters))
            for start, end in _portions(reading.messages, self._bounds.characters):
                await self._assess(reading.messages[start:end], reading.sources[start:end])
            await self._commit(consumer, records)
            self._metrics.active_calls.set(self._observer.open_calls)

    async def summarise_silent(self) -> None:
        """Ends the calls that have been silent for too long, and publishes their summaries.

        Raises:
            aiokafka.errors.KafkaError: a summary was not acknowledged.
        """
        async with self._turn:
            await self._finish(await self._run(lambda: self._observer.silent(self._clock.monotonic())))
            self._metrics.active_calls.set(self._observer.open_calls)

    async def settle(self) -> None:
        """Returns once no poll is in flight."""
        async with self._turn:
            return

    async def assigned(self, partitions: set[TopicPartition]) -> None:
        """Takes over exactly these partitions; forgets the calls and removes the series of those that are gone."""
        async with self._turn:
            gone, forgotten = self.ownership.assigned(partitions)
            self._observer.forget(forgotten)
            for partition in gone:
                self._metrics.partition_gone(partition.topic, partition.partition)
            self._metrics.partitions.set(len(partitions))
            self._metrics.active_calls.set(self._observer.open_calls)

    def close(self) -> None:
        """Ends the thread once what runs in it is done."""
        self._thread.shutdown()

    def _forget_overtaken(self, records: Sequence[Record]) -> None:
        first: dict[TopicPartition, int] = {}
        for record in records:
            first.setdefault(TopicPartition(record.topic, record.partition), record.offset)
        for partition, offset in first.items():
            self._observer.forget(self.ownership.resumes(partition, offset))

    async def _assess(self, messages: Sequence[Segment | CallEnded], sources: Sequence[Record]) -> None:
        with self._timed("observe"):
            observation = await self._run(lambda: self._observer.observe(messages, self._clock.monotonic()))
        self._note_calls(messages, sources)
        await self._finish(observation)
        self._time_from_receipt(observation, messages, sources)

    def _note_calls(self, messages: Sequence[Segment | CallEnded], sources: Sequence[Record]) -> None:
        """Notes in order where each call is heard, for a call may end and begin again within a poll."""
        for message, record in zip(messages, sources, strict=True):
            if isinstance(message, Segment):
                self.ownership.heard(TopicPartition(record.topic, record.partition), message.call_id)
            else:
                self.ownership.ended((message.call_id,))

    async def _finish(self, observation: Observation) -> None:
        outputs = assessment_outputs(observation.assessments) + summary_outputs(observation.summaries)
        await self._publish(outputs)
        self._metrics.record(observation)
        self.ownership.ended(
            summary.call_id for summary in observation.summaries if summary.ended_by != "event"
        )

    async def _publish(self, outputs: Sequence[Output]) -> None:
        if outputs:
            with self._timed("publish"):
                await self._publisher.publish(outputs)

    async def _commit(self, consumer: AIOKafkaConsumer, records: Sequence[Record]) -> None:
        offsets = next_offsets(records)
        with self._timed("commit"):
            failure = await commit(consumer, offsets, self._bounds.commit_seconds)
        if failure is not None:
            self._metrics.commit_failures.inc()
            _log.warning("commit failed", reason=failure, partitions=len(offsets))
        self.ownership.processed(offsets)
        for record in records:
            self._metrics.partition_progress(record.topic, record.partition, None, record.timestamp / 1000)

    def _count(self, reading: Reading) -> None:
        for kind, count in reading.errors.items():
            self._metrics.dead_letters.labels(kind).inc(count)
        for reason, count in reading.ignored.items():
            self._metrics.ignored.labels(reason).inc(count)
        self._metrics.count_oddities(reading.oddities)
        if reading.errors:
            _log.warning("records could not be read", kinds=dict(reading.errors))

    def _time_from_receipt(
        self,
        observation: Observation,
        messages: Sequence[Segment | CallEnded],
        sources: Sequence[Record],
    ) -> None:
        written = {
            (message.call_id, message.sequence): record.timestamp / 1000
            for message, record in zip(messages, sources, strict=True)
            if isinstance(message, Segment)
        }
        now = self._clock.wall()
        for assessment in observation.assessments:
            segment = assessment.segment
            at = segment.received_at
            received = written[segment.call_id, segment.sequence] if at is None else at.timestamp()
            self._metrics.receipt_to_assessment.observe(max(0.0, now - received))

    async def _run(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = self._clock.monotonic()
        try:
            yield
        finally:
            self._metrics.poll_seconds.labels(stage).observe(self._clock.monotonic() - started)


def _portions(messages: Sequence[Segment | CallEnded], characters: int) -> Iterator[tuple[int, int]]:
    """Index ranges of neighbours with at most so many characters of text together, or of one alone."""
    start = 0
    total = 0
    for index, message in enumerate(messages):
        length = len(message.text) if isinstance(message, Segment) else 0
        if index > start and total + length > characters:
            yield start, index
            start, total = index, 0
        total += length
    if start < len(messages):
        yield start, len(messages)
