"""The live service, put together and run until it is told to stop or cannot go on."""

import asyncio
import socket
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any, Final

import structlog
import uvicorn
from aiokafka import AIOKafkaConsumer
from faststream.asgi import AsgiFastStream, AsyncAPIRoute
from faststream.asgi.types import ASGIApp, Receive, Scope, Send
from faststream.kafka.annotations import KafkaMessage
from faststream.specification import AsyncAPI

from service.clock import Clock
from service.errors import AuscultError
from service.live.backoff import Backoff
from service.live.call_states import CallStates
from service.live.dead_letter_limit import DeadLetterRate
from service.live.delivery import AtLeastOnce, Delivery
from service.live.exactly_once import ExactlyOnce
from service.live.health import Health
from service.live.http import routes
from service.live.ownership import Ownership
from service.live.patience import Patience
from service.live.poll import PollBounds, PollProcessor
from service.live.reading import WorkBound
from service.live.rebalance import RebalanceListener
from service.live.shedding import SheddingPolicy
from service.live.take_over import TakeOver
from service.metrics import Metrics
from service.observation import LiveObserver
from service.settings import KafkaSettings, Settings, SheddingSettings
from streams.broker import ReadingOptions, make_broker, subscribe
from streams.offsets import broker_answers, partition_lag
from streams.publishing import declare_outputs
from streams.schemas import CallEndedRecord, SegmentRecord
from streams.state_topic import PartitionStates, read_states

_log = structlog.get_logger(__name__)

SILENCE_CHECK_SECONDS: Final = 5.0
PROGRESS_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 3.0
"""The broker has this long to answer before it counts as away."""

DRAIN_SHARE: Final = 0.5
"""Of the time to drain: so long Kafka is waited for at shutdown; the rest is for closing connections."""

REBALANCE_DRAINS: Final = 2
"""How often the time of a poll in flight goes into that of a rebalance: when it is over, what runs still has to end."""

HTTP_GRACE_SECONDS: Final = 2


class ServiceFailed(AuscultError):
    """The live service cannot go on. What it has not committed will be read again."""


class LiveService:
    """Reads segments, has them assessed, publishes what comes of it, and answers over HTTP."""

    def __init__(self, settings: Settings, observer: LiveObserver, metrics: Metrics, clock: Clock) -> None:
        kafka = settings.kafka
        self._settings = settings
        self._metrics = metrics
        self._clock = clock
        self._stop = asyncio.Event()
        self._failure: str | None = None
        broker = make_broker(kafka.connection(), drain_seconds=kafka.drain_seconds)
        declare_outputs(broker, kafka.topics.names())
        self._ownership = Ownership()
        self._patience = Patience(Backoff(), metrics, clock)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="monitor")
        self._delivery = _delivery(kafka, self._patience, metrics)
        self._processor = self._make_processor(observer)
        self._health = Health(
            self._ownership, self._patience, settings.http.stalled_seconds, settings.http.waiting_seconds
        )
        listener = RebalanceListener(self._processor, self._consumer, self._fail)
        self._subscriber = subscribe(broker, _reading_options(settings), listener)
        self._subscriber(self._segments)
        self._housekeeping: asyncio.Task[None] | None = None
        self._app = AsgiFastStream(
            broker,
            asgi_routes=routes(metrics, self._health),
            asyncapi_path=AsyncAPIRoute("/asyncapi", try_it_out_path=None),
            specification=AsyncAPI(title="Auscult", version=version("auscult")),
            logger=None,
            after_startup=[self._start_housekeeping],
            on_shutdown=[self._end_housekeeping],
            after_shutdown=[self._close],
        )

    def _make_processor(self, observer: LiveObserver) -> PollProcessor:
        kafka = self._settings.kafka
        states = CallStates(observer, self._ownership, self._metrics, self._clock)
        take_over = TakeOver(self._delivery, self._read_states, states, self._patience, self._thread)
        return PollProcessor(
            observer=observer,
            thread=self._thread,
            ownership=self._ownership,
            states=states,
            delivery=self._delivery,
            take_over=take_over,
            patience=self._patience,
            metrics=self._metrics,
            clock=self._clock,
            bounds=PollBounds(
                limits=self._settings.limits.decoding(),
                work=WorkBound(kafka.batch.segments, kafka.batch.characters),
                shedding=_shedding_policy(kafka.shedding),
                settle_seconds=kafka.drain_seconds,
                dead_letters=DeadLetterRate(kafka.dead_letters.share, kafka.dead_letters.window),
            ),
            formats=kafka.formats(),
        )

    async def _read_states(self, partitions: Collection[int]) -> Mapping[int, PartitionStates]:
        kafka = self._settings.kafka
        return await read_states(kafka.connection(), kafka.topics.names().state, partitions)

    def _consumer(self) -> AIOKafkaConsumer:
        consumer = self._subscriber.consumer
        assert consumer is not None  # noqa: S101 - the listener is called by the consumer
        return consumer

    async def _close(self) -> None:
        await self._delivery.close()
        self._thread.shutdown()

    def stop(self) -> None:
        """Asks the service to finish the poll in flight and to go. May be called more than once."""
        if not self._health.stopping:
            self._processor.finish()
            drain = self._settings.kafka.drain_seconds
            asyncio.get_running_loop().call_later(drain * DRAIN_SHARE, self._processor.give_up)
        self._health.stopping = True
        self._stop.set()

    async def run(self, listening: Callable[[int], None] = lambda _port: None) -> None:
        """Serves until it is stopped.

        Args:
            listening: Told the port that HTTP is served on.

        Raises:
            ServiceFailed: the HTTP port cannot be listened on, Kafka cannot be used, or a poll could not be
                taken to its end.
        """
        with self._listener() as listener:
            listening(listener.getsockname()[1])
            server = _Server(
                uvicorn.Config(
                    self._guarded(self._app),
                    lifespan="on",
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    timeout_graceful_shutdown=HTTP_GRACE_SECONDS,
                )
            )
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            stopping = asyncio.create_task(self._stop.wait())
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            server.should_exit = True
            await serving
        if self._failure is not None:
            raise ServiceFailed(self._failure)

    def _listener(self) -> socket.socket:
        http = self._settings.http
        try:
            return socket.create_server((http.host, http.port))
        except OSError as error:
            raise ServiceFailed(f"http: cannot listen on {http.host}:{http.port}: {error.strerror}") from None

    async def _segments(
        self,
        records: list[SegmentRecord | CallEndedRecord],  # noqa: ARG002 - names the type in the AsyncAPI document
        message: KafkaMessage,
    ) -> None:
        """Segments of calls, in order within each call."""
        if self._failure is not None or self._subscriber.consumer is None:
            # Position moves on, but nothing is committed any more: whoever comes next reads it again.
            return
        try:
            await self._processor.process(self._subscriber.consumer, message.raw_message)
        except Exception as error:  # noqa: BLE001 - whatever it is, going on would lose this poll
            self._fail("a poll could not be taken to its end", error)

    def _fail(self, what: str, error: BaseException) -> None:
        if self._failure is None:
            reason = str(error) if isinstance(error, AuscultError) else type(error).__name__
            self._failure = f"{what}: {reason}"
            _log.error(what, exc_info=error)
        self.stop()

    def _guarded(self, app: ASGIApp) -> ASGIApp:
        """Notices when the application's own life ends in an exception, which the server would outlive."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await app(scope, receive, _without_traceback(send) if scope["type"] == "lifespan" else send)
            except Exception as error:
                if scope["type"] == "lifespan":
                    self._fail("Kafka cannot be used", error)
                raise

        return guarded

    async def _start_housekeeping(self) -> None:
        self._health.consumer = self._subscriber.consumer
        self._housekeeping = asyncio.create_task(self._keep_house())

    async def _end_housekeeping(self) -> None:
        self.stop()
        if self._housekeeping is not None:
            await self._housekeeping

    async def _keep_house(self) -> None:
        """Until the service stops: ends silent calls, and notes how far the partitions are read."""
        next_silence_check = self._clock.monotonic() + SILENCE_CHECK_SECONDS
        while not await self._stopped_within(PROGRESS_SECONDS):
            await self._note_progress()
            if self._clock.monotonic() >= next_silence_check:
                next_silence_check = self._clock.monotonic() + SILENCE_CHECK_SECONDS
                try:
                    await self._processor.summarise_silent(self._consumer())
                except Exception as error:  # noqa: BLE001 - calls are gone whose summaries are not out
                    self._fail("silent calls could not be summarised", error)

    async def _stopped_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)
        return self._stop.is_set()

    async def _note_progress(self) -> None:
        consumer = self._subscriber.consumer
        if consumer is None:
            return
        self._metrics.last_poll.set(self._clock.wall() - self._health.idle_seconds)
        self._health.broker_answers = await broker_answers(consumer, ANSWER_SECONDS)
        for partition, processed in self._ownership.next_offsets.items():
            lag = await partition_lag(consumer, partition, processed)
            if partition in self._ownership.partitions:
                self._metrics.partition_progress(partition.topic, partition.partition, lag, None)


class _Server(uvicorn.Server):
    """Leaves signals alone: the command decides what they mean."""

    @contextmanager
    def capture_signals(self) -> Any:
        yield


def _without_traceback(send: Send) -> Send:
    """FastStream has the server log the exception's message, which may quote what it was given."""

    async def silent(message: Any) -> None:
        await send({**message, "message": ""} if message["type"].endswith(".failed") else message)

    return silent


def _delivery(kafka: KafkaSettings, patience: Patience, metrics: Metrics) -> Delivery:
    names = kafka.topics.names()
    if kafka.delivery == "at_least_once":
        return AtLeastOnce(kafka, names, patience, metrics)
    return ExactlyOnce(kafka.connection(), names, kafka.group, patience, metrics)


def _shedding_policy(shedding: SheddingSettings) -> SheddingPolicy:
    return SheddingPolicy(frozenset(shedding.signals), shedding.from_seconds, shedding.until_seconds)


def _reading_options(settings: Settings) -> ReadingOptions:
    kafka = settings.kafka
    return ReadingOptions(
        topics=kafka.input_topics(),
        group=kafka.group,
        member=kafka.member,
        records=kafka.batch.records,
        wait_seconds=kafka.batch.timeout_seconds,
        fetch_seconds=kafka.batch.fetch_seconds,
        session_seconds=kafka.session_seconds,
        heartbeat_seconds=kafka.heartbeat_seconds,
        poll_interval_seconds=kafka.poll_interval_seconds,
        rebalance_seconds=max(kafka.session_seconds, REBALANCE_DRAINS * kafka.drain_seconds),
    )
