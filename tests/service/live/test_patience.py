"""What is tried again, for how long, and what the probes see of it."""

import asyncio
from dataclasses import dataclass, field

import pytest
from aiokafka.errors import KafkaConnectionError, KafkaError, TopicAuthorizationFailedError
from prometheus_client import CollectorRegistry

from service.clock import Clock
from service.live.backoff import Backoff
from service.live.patience import Patience, PollDropped
from service.metrics import AllowedLabels, Metrics


@dataclass
class Attempts:
    """Fails with each of the errors in turn, then succeeds."""

    errors: list[BaseException]
    made: int = 0

    async def __call__(self) -> str:
        self.made += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@dataclass
class Bench:
    metrics: Metrics = field(default_factory=lambda: Metrics(CollectorRegistry(), AllowedLabels()))
    time: float = 0.0

    def patience(self, seconds: float = 0.0) -> Patience:
        clock = Clock(monotonic=lambda: self.time)
        return Patience(Backoff(seconds, seconds, draw=lambda: 1.0), self.metrics, clock)


async def test_what_may_pass_is_tried_again_and_counted() -> None:
    bench = Bench()
    attempts = Attempts([KafkaConnectionError(), TimeoutError(), OSError(), KafkaError()])
    assert await bench.patience().until_done("publish", attempts) == "done"
    assert attempts.made == 5
    assert bench.metrics.registry.get_sample_value("auscult_kafka_retries_total", {"what": "publish"}) == 4


async def test_a_refusal_is_not_tried_again() -> None:
    attempts = Attempts([TopicAuthorizationFailedError()])
    with pytest.raises(TopicAuthorizationFailedError):
        await Bench().patience().until_done("publish", attempts)
    assert attempts.made == 1


async def test_a_defect_is_not_taken_for_an_absent_broker() -> None:
    with pytest.raises(ZeroDivisionError):
        await Bench().patience().until_done("publish", Attempts([ZeroDivisionError()]))


@pytest.mark.parametrize("hangs", [True, False], ids=["in an attempt", "between attempts"])
async def test_waiting_that_is_over_is_given_up(hangs: bool) -> None:
    patience = Bench().patience(seconds=3600)
    begun = asyncio.Event()

    async def attempt() -> None:
        begun.set()
        if hangs:
            await asyncio.Event().wait()
        raise KafkaConnectionError

    waiting = asyncio.create_task(patience.until_done("publish", attempt))
    await begun.wait()
    patience.end()
    with pytest.raises(PollDropped):
        await waiting
    assert patience.waiting_seconds == 0


async def test_nothing_is_waited_for_before_it_is_renewed() -> None:
    patience = Bench().patience()
    patience.end()
    with pytest.raises(PollDropped):
        await patience.until_done("publish", lambda: asyncio.Event().wait())
    patience.renew()
    assert await patience.until_done("publish", Attempts([])) == "done"
    patience.close()
    patience.renew()
    assert patience.over


async def test_the_probes_see_how_long_kafka_is_waited_for() -> None:
    bench = Bench(time=100.0)
    patience = bench.patience()
    go_on = asyncio.Event()
    waiting = asyncio.create_task(patience.until_done("publish", go_on.wait))
    await asyncio.sleep(0)
    bench.time = 107.5
    assert patience.waiting_seconds == 7.5
    go_on.set()
    await waiting
    assert patience.waiting_seconds == 0
