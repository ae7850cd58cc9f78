"""A poll that is too much to be assessed at once is taken in parts: in order, each committed, none lost."""

import asyncio
import threading

import orjson
import pytest
from aiokafka import TopicPartition
from aiokafka.errors import RequestTimedOutError

from service.live.app import ServiceFailed
from service.live.exactly_once import ExactlyOnce
from service.live.poll import PollProcessor
from service.settings import BatchSettings
from tests.kafka import committed, everything, receive, segment, send
from tests.service.live.conftest import Bench, PlainObserver, until
from tests.service.live.test_delivery import until_seen
from tests.service.live.test_service import run_until_it_ends


async def test_a_poll_that_is_too_much_is_taken_in_parts_each_committed(kafka_bench: Bench) -> None:
    observer = PlainObserver()

    def fail_at_the_third(_batch: object) -> None:
        if len(observer.batches) == 2:
            raise ValueError

    observer.before = fail_at_the_third
    settings = kafka_bench.settings(batch=BatchSettings(segments=3))
    await send(kafka_bench.address, kafka_bench.names.segments, [segment(number) for number in range(10)])
    with pytest.raises(ServiceFailed):
        await run_until_it_ends(kafka_bench, observer, settings)
    assert observer.batches == [3, 3]
    offsets = await committed(kafka_bench.address, kafka_bench.names.segments, kafka_bench.prefix)
    assert sum(offsets.values()) == 6

    rest = PlainObserver()
    async with kafka_bench.service(rest, settings):
        records = await receive(kafka_bench.address, kafka_bench.names.assessments, 10)
    assert rest.batches == [3, 1]
    assert [orjson.loads(record.value)["sequence"] for record in records] == list(range(10))


async def test_a_rebalance_waits_for_a_part_of_a_poll_and_not_for_all_of_it(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()
    asked = asyncio.Event()
    settle = PollProcessor.settle
    parts_until_settled: list[int] = []
    first, second = PlainObserver(), PlainObserver()

    async def note(processor: PollProcessor) -> None:
        if processor is one.service._processor:
            asked.set()
        await settle(processor)
        if processor is one.service._processor:
            parts_until_settled.append(len(first.batches))

    def slow(_batch: object) -> None:
        started.set()
        assert go_on.wait(30)

    first.before = slow
    calls = [f"call-{number}" for number in range(12)]
    settings = kafka_bench.settings(batch=BatchSettings(segments=1))
    await send(kafka_bench.address, kafka_bench.names.segments, [segment(0, call_id=call) for call in calls])
    async with kafka_bench.service(first, settings) as one:
        await until(started.is_set)
        monkeypatch.setattr(PollProcessor, "settle", note)
        async with kafka_bench.service(second, settings) as two:
            await asyncio.wait_for(asked.wait(), 30)
            go_on.set()
            await until(lambda: bool(two.value("auscult_assigned_partitions")))
            await until(lambda: sum(first.batches) + sum(second.batches) >= 12)
    assert parts_until_settled[0] == 1
    records = await everything(kafka_bench.address, kafka_bench.names.assessments)
    ids = [orjson.loads(record.value)["id"] for record in records]
    assert len(ids) == len(set(ids)) == 12


async def test_a_service_that_is_told_to_stop_finishes_its_part_and_leaves_the_rest(
    kafka_bench: Bench,
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(_batch: object) -> None:
        started.set()
        assert go_on.wait(30)

    stopped, rest = PlainObserver(before=slow), PlainObserver()
    settings = kafka_bench.settings(batch=BatchSettings(segments=2))
    await send(kafka_bench.address, kafka_bench.names.segments, [segment(number) for number in range(6)])
    async with kafka_bench.service(stopped, settings) as running:
        await until(started.is_set)
        running.service.stop()
        go_on.set()
    assert stopped.batches == [2]
    async with kafka_bench.service(rest, settings):
        records = await receive(kafka_bench.address, kafka_bench.names.assessments, 6)
    assert rest.batches == [2, 2]
    assert [orjson.loads(record.value)["sequence"] for record in records] == list(range(6))


async def test_after_a_part_of_a_poll_that_was_given_up_nothing_of_it_is_taken_before_that_part(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([None, RequestTimedOutError()])
    succeed = ExactlyOnce._finish

    async def fail_at_the_second(delivery: ExactlyOnce, partition: TopicPartition, offset: int) -> None:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        await succeed(delivery, partition, offset)

    monkeypatch.setattr(ExactlyOnce, "_finish", fail_at_the_second)
    settings = kafka_bench.settings(delivery="exactly_once", batch=BatchSettings(segments=2))
    await send(kafka_bench.address, kafka_bench.names.segments, [segment(number) for number in range(8)])
    async with kafka_bench.service(PlainObserver(), settings) as running:
        assert await until_seen(kafka_bench, 8) == 8
        assert running.value("auscult_polls_dropped_total") == 1
    seen = await everything(kafka_bench.address, kafka_bench.names.assessments, committed_only=True)
    assert [orjson.loads(record.value)["sequence"] for record in seen] == list(range(8))
