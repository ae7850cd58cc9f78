"""Waiting for Kafka: how it is tried again, when it is given up, and that the probes can tell."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import structlog
from aiokafka.errors import (
    DuplicateSequenceNumber,
    InvalidProducerEpoch,
    KafkaError,
    OutOfOrderSequenceNumber,
    ProducerClosed,
)

from service.clock import Clock
from service.live.backoff import Backoff
from service.metrics import Metrics

_OF_ONE_PRODUCER: Final = (
    ProducerClosed,
    OutOfOrderSequenceNumber,
    DuplicateSequenceNumber,
    InvalidProducerEpoch,
)

_log = structlog.get_logger(__name__)
_T = TypeVar("_T")


class PollDropped(Exception):
    """A poll is given up before its end. Nothing of it is committed: whoever owns its partitions reads it again."""


class Patience:
    """Tries again what Kafka did not do, until it does or waiting is over.

    Kafka being away is no reason to end: whoever came next would meet the same broker. While it is waited for, no
    records are taken, the service is alive, and it is not ready.
    """

    def __init__(self, backoff: Backoff, metrics: Metrics, clock: Clock) -> None:
        self._backoff = backoff
        self._metrics = metrics
        self._clock = clock
        self._since: list[float] = []
        self._over = asyncio.Event()
        self._closed = False

    @property
    def waiting_seconds(self) -> float:
        """How long Kafka has been waited for; 0 when it is not."""
        return self._clock.monotonic() - self._since[0] if self._since else 0.0

    @property
    def over(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._over.is_set()

    def end(self) -> None:
        """Gives up whatever waits now, and whatever would wait until `renew`."""
        self._over.set()

    def renew(self) -> None:
        """Waits again from now on, unless closed."""
        if not self._closed:
            self._over.clear()

    def close(self) -> None:
        """Gives up for good: the service is going."""
        self._closed = True
        self.end()

    async def until_done(self, what: str, attempt: Callable[[], Awaitable[_T]]) -> _T:
        """Tries until it succeeds.

        Args:
            what: Names it in logs and metrics.
            attempt: One try; makes a difference only when it succeeds, or can be repeated without harm.

        Raises:
            PollDropped: waiting is over.
            aiokafka.errors.KafkaError: the failure would be the same next time.
        """
        with self._waiting():
            for wait in self._backoff.waits():
                try:
                    return await self._unless_over(attempt())
                except (KafkaError, OSError, TimeoutError) as error:
                    if isinstance(error, KafkaError) and not _transient(error):
                        raise
                    self._metrics.kafka_retries.labels(what).inc()
                    _log.warning("kafka: trying again", what=what, reason=type(error).__name__)
                await self._pause(wait)
        raise AssertionError("waits never end")

    async def _unless_over(self, attempt: Awaitable[_T]) -> _T:
        trying = asyncio.ensure_future(attempt)
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({trying, over}, return_when=asyncio.FIRST_COMPLETED)
            if trying.done():
                return trying.result()
        finally:
            over.cancel()
            if not trying.done():
                trying.cancel()
                await asyncio.wait({trying})
        raise PollDropped

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return
        raise PollDropped

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        started = self._clock.monotonic()
        self._since.append(started)
        try:
            yield
        finally:
            self._since.remove(started)


def _transient(error: KafkaError) -> bool:
    """Whether another try, with another producer, may succeed.

    The bare class is what the client raises when a producer of its own breaks.
    """
    return bool(error.retriable) or type(error) is KafkaError or isinstance(error, _OF_ONE_PRODUCER)
