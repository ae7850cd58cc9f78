"""One poll from its records to its committed offsets: read, observe in a thread, publish, commit, count.

A poll that is too much to be assessed at once is taken part by part, each committed before the next begins.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition

from service.clock import Clock
from service.live.call_states import CallStates, Place
from service.live.dead_letter_limit import DeadLetterLimit, DeadLetterRate
from service.live.delivery import Delivery, Outputs
from service.live.ownership import Ownership
from service.live.patience import Patience, PollDropped
from service.live.reading import Reading, WorkBound, read_records
from service.live.shedding import Shedding, SheddingPolicy, seconds_behind
from service.live.take_over import TakeOver
from service.metrics import Metrics
from service.observation import LiveObserver, Observation
from streams.adapters.conversion import RecogniserFormat
from streams.broker import Record
from streams.decoding import Limits
from streams.messages import CallEnded, Segment
from streams.offsets import next_offsets
from streams.publishing import Output, assessment_outputs, dead_letter_outputs, summary_outputs

_log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_Heard = Mapping[str, Place]
"""For each call of a portion, where it was heard last."""


@dataclass(frozen=True, slots=True)
class PollBounds:
    """How much work one poll may be.

    Attributes:
        limits: The largest input that is read.
        work: How much is assessed at once; a poll with more is taken in parts.
        shedding: What is left out once polls are late.
        settle_seconds: How long a rebalance waits for what is in flight before that is given up.
        dead_letters: How much may be refused.
    """

    limits: Limits
    work: WorkBound
    shedding: SheddingPolicy
    settle_seconds: float
    dead_letters: DeadLetterRate


class PollProcessor:
    """Takes polls one at a time. Its methods may be awaited from several tasks: each waits for its turn.

    The observer runs in one thread of its own, so that heartbeats and probes go on while models compute.
    """

    def __init__(
        self,
        observer: LiveObserver,
        thread: Executor,
        ownership: Ownership,
        states: CallStates,
        delivery: Delivery,
        take_over: TakeOver,
        patience: Patience,
        metrics: Metrics,
        clock: Clock,
        bounds: PollBounds,
        formats: Mapping[str, RecogniserFormat],
    ) -> None:
        self._observer = observer
        self._thread = thread
        self._ownership = ownership
        self._states = states
        self._delivery = delivery
        self._take_over = take_over
        self._patience = patience
        self._metrics = metrics
        self._clock = clock
        self._bounds = bounds
        self._formats = formats
        self._limit = DeadLetterLimit(bounds.dead_letters)
        self._shedding = Shedding(bounds.shedding)
        self._last_part = False
        self._turn = asyncio.Lock()
        self._settled = asyncio.Event()

    async def process(self, consumer: AIOKafkaConsumer, records: Sequence[Record]) -> None:
        """Takes a poll to its end: everything that a part of it brings about is acknowledged, then it is committed.

        While partitions move it waits; what is then not ours any more, or was processed before, is left out. A part
        that has to be given up is forgotten with its calls, and its records and all after them are read again.

        Raises:
            aiokafka.errors.KafkaError: Kafka refuses for good. Nothing of the part is committed.
            TooManyDeadLetters: more is refused than allowed. Nothing of the part is committed.
            Exception: the observer failed. Nothing of the part is committed.
        """
        self._metrics.poll_records.observe(len(records))
        left = records
        with suppress(PollDropped):
            while left and not self._last_part:
                async with self._settled_turn(), self._given_up_cleanly(consumer):
                    unread = self._ownership.unread(left)
                    self._metrics.redelivered.inc(len(left) - len(unread))
                    left = unread[await self._take(consumer, unread) :]

    async def summarise_silent(self, consumer: AIOKafkaConsumer) -> None:
        """Ends the calls that have been silent for too long, and publishes their summaries.

        Raises:
            aiokafka.errors.KafkaError: Kafka refuses for good.
        """
        with suppress(PollDropped):
            async with self._settled_turn(), self._given_up_cleanly(consumer):
                observation = await self._run(lambda: self._observer.silent(self._clock.monotonic()))
                if observation.summaries:
                    await self._finish(observation, {})
                    await self._commit(consumer, {})

    async def settle(self) -> None:
        """Returns once no poll is in flight; none begins before partitions are assigned.

        A poll that waits for Kafka for too long is given up: the group need not wait for it.
        """
        self._settled.clear()
        try:
            async with asyncio.timeout(self._bounds.settle_seconds), self._turn:
                return
        except TimeoutError:
            self._patience.end()
        async with self._turn:
            return

    async def assigned(self, consumer: AIOKafkaConsumer, partitions: set[TopicPartition]) -> None:
        """Takes over exactly these partitions.

        Those that stayed go on as they were, unless the group has read on without us meanwhile. Of the others, calls
        are restored before anything is read. Those that are gone are forgotten.

        Raises:
            aiokafka.errors.KafkaError: Kafka refuses for good.
        """
        async with self._turn:
            self._patience.renew()
            try:
                await self._release(self._ownership.partitions - partitions)
                committed = await self._take_over.committed(consumer, partitions)
                await self._release(self._ownership.overtaken(committed))
                await self._take_over.take(consumer, partitions - self._ownership.partitions)
            except PollDropped:
                return  # the service is going
            self._metrics.partitions.set(len(partitions))
            self._metrics.calls_followed(self._observer.calls_by_worst_flag())
            self._settled.set()

    def finish(self) -> None:
        """Takes no part of a poll after the one in flight: the service is going, and another reads the rest."""
        self._last_part = True

    def give_up(self) -> None:
        """Waits for Kafka no more: the service is going, and what is not out yet is read again by another."""
        self._patience.close()
        self._settled.set()

    async def _take(self, consumer: AIOKafkaConsumer, records: Sequence[Record]) -> int:
        """Takes as many records from the front as may be assessed at once to their end, and says how many."""
        with self._timed("read"):
            reading = read_records(records, self._bounds.limits, self._formats, self._bounds.work)
        self._limit.note(len(reading.records), len(reading.rejected))
        self._count(reading)
        await self._publish(_dead_letters(reading))
        messages, sources = self._not_included(reading)
        if messages:
            await self._assess(messages, sources)
        await self._commit(consumer, next_offsets(reading.records))
        for record in reading.records:
            self._metrics.partition_progress(record.topic, record.partition, None, record.timestamp / 1000)
        return len(reading.records)

    def _not_included(self, reading: Reading) -> tuple[list[Segment | CallEnded], list[Record]]:
        """Leaves out what a call's restored state includes already."""
        kept = [
            (message, record)
            for message, record in zip(reading.messages, reading.sources, strict=True)
            if not self._ownership.includes(_partition(record), message.call_id, record.offset)
        ]
        self._metrics.redelivered.inc(len(reading.messages) - len(kept))
        return [message for message, _ in kept], [record for _, record in kept]

    async def _assess(self, messages: Sequence[Segment | CallEnded], sources: Sequence[Record]) -> None:
        shed = self._shed(sources)
        with self._timed("observe"):
            observation = await self._run(
                lambda: self._observer.observe(messages, self._clock.monotonic(), shed)
            )
        summarised = {summary.call_id for summary in observation.summaries}
        heard = {
            message.call_id: (_partition(record), record.offset)
            for message, record in zip(messages, sources, strict=True)
            if isinstance(message, Segment) or message.call_id in summarised
        }
        await self._finish(observation, heard)
        self._time_from_receipt(observation, messages, sources)

    def _shed(self, sources: Sequence[Record]) -> frozenset[str]:
        """Signals to leave out, since these records are late."""
        was = self._shedding.active
        signals = self._shedding.signals(seconds_behind(sources, self._clock.wall()))
        if self._shedding.active != was:
            self._metrics.shedding.set(self._shedding.active)
            _log.warning("signals left out: behind" if signals else "signals no longer left out: caught up")
        return signals

    async def _finish(self, observation: Observation, heard: _Heard) -> None:
        """Publishes what came of calls, and then their states: those include what is acknowledged alone."""
        ended = {
            summary.call_id: home
            for summary in observation.summaries
            if summary.call_id not in heard and (home := self._ownership.home(summary.call_id)) is not None
        }
        places = {**heard, **ended}
        # Before anything is published: should the poll be given up, calls that began in it are to be forgotten too.
        for call_id, (partition, offset) in places.items():
            self._ownership.heard(partition, call_id, offset)
        await self._publish(_routed(observation, places))
        self._metrics.record(observation)
        await self._publish(await self._run(lambda: self._states.written(places)))

    async def _publish(self, outputs: Outputs) -> None:
        if outputs:
            with self._timed("publish"):
                await self._delivery.publish(outputs)

    async def _commit(self, consumer: AIOKafkaConsumer, offsets: Mapping[TopicPartition, int]) -> None:
        with self._timed("commit"):
            known = await self._delivery.commit(consumer, offsets)
        self._ownership.processed(offsets)
        if known:
            self._ownership.commit(offsets)
        tombstones = self._states.tombstones()
        if tombstones:
            await self._publish(tombstones)
            await self._delivery.commit(consumer, {})

    async def _release(self, partitions: frozenset[TopicPartition] | set[TopicPartition]) -> None:
        forgotten = self._ownership.release(partitions)
        await self._run(lambda: self._observer.forget(forgotten))
        await self._delivery.release(partitions)
        for partition in partitions:
            self._metrics.partition_gone(partition.topic, partition.partition)

    @asynccontextmanager
    async def _settled_turn(self) -> AsyncIterator[None]:
        """A turn while partitions are not moving."""
        while True:
            await self._settled.wait()
            async with self._turn:
                if self._settled.is_set():
                    yield
                    return

    @asynccontextmanager
    async def _given_up_cleanly(self, consumer: AIOKafkaConsumer) -> AsyncIterator[None]:
        """Forgets everything when a poll is given up, for the calls are ahead of what is out; raises `PollDropped` on.

        Then partitions are taken over as from another replica: at once, or when the group has assigned them anew.
        """
        try:
            yield
        except PollDropped:
            self._metrics.polls_dropped.inc()
            _log.warning("poll given up: its records will be read again")
            partitions = self._ownership.partitions
            await self._release(partitions)
            # While partitions move, whoever gets them takes them over: now it could be from their new owner.
            if self._settled.is_set() and not self._patience.over:
                await self._begin_again(consumer, partitions)
            raise
        finally:
            self._metrics.calls_followed(self._observer.calls_by_worst_flag())

    async def _begin_again(self, consumer: AIOKafkaConsumer, partitions: frozenset[TopicPartition]) -> None:
        try:
            await self._take_over.take(consumer, partitions & consumer.assignment())
        except PollDropped:
            return  # they are moving: they are taken over when they are assigned
        for partition, offset in self._ownership.next_offsets.items():
            if partition in consumer.assignment():
                consumer.seek(partition, offset)

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


def _partition(record: Record) -> TopicPartition:
    return TopicPartition(record.topic, record.partition)


def _dead_letters(reading: Reading) -> dict[TopicPartition, list[Output]]:
    outputs: dict[TopicPartition, list[Output]] = {}
    for record, output in zip(reading.rejected, dead_letter_outputs(reading.dead_letters), strict=True):
        outputs.setdefault(_partition(record), []).append(output)
    return outputs


def _routed(observation: Observation, places: _Heard) -> dict[TopicPartition, list[Output]]:
    """Assessments with their flags, then summaries, by the partition of their call."""
    outputs: dict[TopicPartition, list[Output]] = {}
    for assessment in observation.assessments:
        partition, _ = places[assessment.segment.call_id]
        outputs.setdefault(partition, []).extend(assessment_outputs([assessment]))
    for summary in observation.summaries:
        partition, _ = places[summary.call_id]
        outputs.setdefault(partition, []).extend(summary_outputs([summary]))
    return outputs
