"""The live service, put together and run until it is told to stop or cannot go on."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any, Final

import structlog
import uvicorn
from faststream.asgi import AsgiFastStream, AsyncAPIRoute
from faststream.asgi.types import ASGIApp, Receive, Scope, Send
from faststream.kafka.annotations import KafkaMessage
from faststream.specification import AsyncAPI

from service.clock import Clock
from service.errors import AuscultError
from service.live.health import Health
from service.live.http import routes
from service.live.poll import PollBounds, PollProcessor
from service.live.rebalance import RebalanceListener
from service.metrics import Metrics
from service.observation import Observer
from service.settings import Settings
from streams.broker import ReadingOptions, make_broker, subscribe
from streams.offsets import partition_lag
from streams.publishing import Publisher
from streams.schemas import CallEndedRecord, SegmentRecord

_log = structlog.get_logger(__name__)

SILENCE_CHECK_SECONDS: Final = 5.0
PROGRESS_SECONDS: Final = 1.0
HTTP_GRACE_SECONDS: Final = 2


class ServiceFailed(AuscultError):
    """The live service cannot go on. What it has not committed will be read again."""


class LiveService:
    """Reads segments, has them assessed, publishes what comes of it, and answers over HTTP."""

    def __init__(self, settings: Settings, observer: Observer, metrics: Metrics, clock: Clock) -> None:
        kafka = settings.kafka
        names = kafka.topics.names()
        self._settings = settings
        self._metrics = metrics
        self._clock = clock
        self._stop = asyncio.Event()
        self._failure: str | None = None
        broker = make_broker(
            kafka.connection(), idempotence=kafka.idempotence, drain_seconds=kafka.drain_seconds
        )
        bounds = PollBounds(settings.limits.decoding(), kafka.batch.characters, kafka.session_seconds)
        self._processor = PollProcessor(
            observer, Publisher(broker, names), metrics, clock, bounds, kafka.formats()
        )
        self._health = Health(self._processor.ownership, settings.http.stalled_seconds)
        self._subscriber = subscribe(broker, _reading_options(settings), RebalanceListener(self._processor))
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
            after_shutdown=[self._processor.close],
        )

    def stop(self) -> None:
        """Asks the service to finish the poll in flight and to go. May be called more than once."""
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
            self._failure = f"{what}: {type(error).__name__}"
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
                    await self._processor.summarise_silent()
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
        ownership = self._processor.ownership
        for partition in ownership.partitions:
            lag = await partition_lag(consumer, partition, ownership.next_offsets.get(partition))
            if partition in ownership.partitions:
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
    )
