"""What a real Apache Kafka shows: nothing is lost, and calls go on, when replicas and brokers come and go."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import orjson
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import (
    IllegalOperation,
    KafkaError,
    LeaderNotAvailableError,
    OutOfOrderSequenceNumber,
    ProducerFenced,
    RequestTimedOutError,
)

from benchmarks.apache_kafka.broker import ApacheKafka
from service.live.app import ServiceFailed
from service.live.exactly_once import ExactlyOnce
from service.settings import DeadLetterSettings
from streams.broker import Record
from streams.call_state import CallStateRecord, decode_call_state, encode_call_state
from streams.connection import Connection
from streams.publishing import Output, send_in_order
from streams.topics import TopicNames
from tests.kafka import Message, everything, receive, segment, send
from tests.service.live.conftest import Bench, PlainObserver, until
from tests.service.live.test_service import get, run_until_it_ends

EITHER = pytest.mark.parametrize("delivery", ["at_least_once", "exactly_once"])
RECOVERY_SECONDS = 90.0
"""A transaction that the broker's end interrupted is given up after 20 s; then its partitions are taken over anew."""

CALLS = [f"call-{number}" for number in range(12)]


def ended(call_id: str) -> Message:
    return Message(orjson.dumps({"type": "call.ended", "call_id": call_id}), call_id.encode())


def lines(sequence: int) -> list[Message]:
    """One line in each call."""
    return [segment(sequence, f"line {sequence}", call) for call in CALLS]


def ids(records: Sequence[Record]) -> list[str]:
    return [orjson.loads(record.value)["id"] for record in records]


async def states(bench: Bench) -> dict[str, CallStateRecord | None]:
    """The last state of each call; None: a tombstone."""
    records = await everything(bench.address, bench.names.state, committed_only=True)
    return {
        record.key.decode(): None if record.value is None else decode_call_state(record.value)
        for record in sorted(records, key=lambda record: record.offset)
    }


async def until_ready(base: str, ready: bool) -> None:
    async with asyncio.timeout(RECOVERY_SECONDS):
        while ((await get(f"{base}/readyz"))[0] == 200) != ready:  # noqa: ASYNC110 - asked over HTTP
            await asyncio.sleep(0.1)


async def until_seen(bench: Bench, count: int) -> int:
    """Waits until readers of committed records see so many assessments, and says how many records these are."""
    async with asyncio.timeout(RECOVERY_SECONDS):
        while True:
            seen = ids(await everything(bench.address, bench.names.assessments, committed_only=True))
            if len(set(seen)) == count:
                return len(seen)
            await asyncio.sleep(0.2)


async def process(bench: Bench, messages: Sequence[Message], delivery: str) -> PlainObserver:
    """Runs a service until what was sent is assessed, and lets it go in order."""
    observer = PlainObserver()
    async with bench.service(observer, bench.settings(delivery=delivery)):
        await send(bench.address, bench.names.segments, messages)
        await until(lambda: sum(observer.batches) >= len(messages))
    return observer


@EITHER
async def test_another_replica_goes_on_where_the_call_was(kafka_bench: Bench, delivery: str) -> None:
    await process(kafka_bench, lines(0) + lines(1), delivery)
    second = await process(kafka_bench, lines(2), delivery)
    assert set(second.restored) == set(CALLS)
    assert second.seen == {call: {number: f"line {number}" for number in range(3)} for call in CALLS}


@EITHER
async def test_a_state_says_which_records_it_includes(kafka_bench: Bench, delivery: str) -> None:
    await process(kafka_bench, [segment(number) for number in range(5)], delivery)
    found = (await states(kafka_bench))["c1"]
    assert found is not None
    assert found.read_from <= 4
    assert found == CallStateRecord(
        call_id="c1",
        topic=kafka_bench.names.segments,
        offset=4,
        read_from=found.read_from,
        payload={"seen": [[number, "no fever"] for number in range(5)]},
    )


@EITHER
async def test_of_a_call_that_ended_nothing_stays(kafka_bench: Bench, delivery: str) -> None:
    await process(kafka_bench, [segment(0), segment(0, call_id="open"), ended("c1")], delivery)
    found = await states(kafka_bench)
    assert found["c1"] is None
    assert found["open"] is not None


@EITHER
async def test_every_output_is_seen_once_when_nothing_goes_wrong(kafka_bench: Bench, delivery: str) -> None:
    await process(kafka_bench, [*lines(0), *lines(1), *map(ended, CALLS)], delivery)
    seen = await everything(kafka_bench.address, kafka_bench.names.assessments, committed_only=True)
    assert len(ids(seen)) == len(set(ids(seen))) == 24
    assert len(await everything(kafka_bench.address, kafka_bench.names.calls, committed_only=True)) == 12


async def test_what_was_out_before_a_crash_is_not_assessed_again(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> str:
        return "CommitFailedError"

    with monkeypatch.context() as patched:
        patched.setattr("service.live.delivery.commit", fail)
        await process(kafka_bench, [*lines(0), ended(CALLS[0])], "at_least_once")
    again = PlainObserver()
    async with kafka_bench.service(again, kafka_bench.settings()) as running:
        await until(lambda: running.value("auscult_redelivered_records_total") == 13)
        assert again.batches == []
        await send(kafka_bench.address, kafka_bench.names.segments, lines(1))
        await receive(kafka_bench.address, kafka_bench.names.assessments, 24)
        await until(lambda: len(again.seen.get(CALLS[-1], ())) == 2)
    assert {len(again.seen[call]) for call in CALLS[1:]} == {2}
    assert len(again.seen[CALLS[0]]) == 1


async def test_a_transaction_that_was_not_committed_is_seen_by_nobody(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ValueError

    await send(kafka_bench.address, kafka_bench.names.segments, lines(0))
    settings = kafka_bench.settings(delivery="exactly_once")
    with monkeypatch.context() as patched:
        patched.setattr("service.live.app.ExactlyOnce.commit", fail)
        with pytest.raises(ServiceFailed):
            await run_until_it_ends(kafka_bench, PlainObserver(), settings)
    await process(kafka_bench, lines(1), "exactly_once")
    assessments = kafka_bench.names.assessments
    seen = await everything(kafka_bench.address, assessments, committed_only=True)
    written = await everything(kafka_bench.address, assessments)
    assert len(written) > len(seen)
    assert len(ids(seen)) == len(set(ids(seen))) == 24


@pytest.mark.parametrize("step", ["_send", "_finish"])
async def test_a_transaction_that_fails_is_begun_again_in_place(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    failures = iter([RequestTimedOutError(), ProducerFenced(), IllegalOperation()])
    succeed = getattr(ExactlyOnce, step)

    async def fail_at_first(delivery: ExactlyOnce, partition: TopicPartition, given: object) -> None:
        for failure in failures:
            raise failure
        await succeed(delivery, partition, given)

    monkeypatch.setattr(ExactlyOnce, step, fail_at_first)
    # Calls begin, and one ends, in polls that are given up.
    observer = PlainObserver()
    async with kafka_bench.service(observer, kafka_bench.settings(delivery="exactly_once")):
        await send(kafka_bench.address, kafka_bench.names.segments, [*lines(0), *lines(1), ended(CALLS[0])])
        assert await until_seen(kafka_bench, 24) == 24
    observer = await process(kafka_bench, lines(2), "exactly_once")
    assert {call: len(seen) for call, seen in observer.seen.items()} == dict.fromkeys(CALLS, 3) | {
        CALLS[0]: 1
    }
    assert await until_seen(kafka_bench, 36) == 36
    (summary,) = await everything(kafka_bench.address, kafka_bench.names.calls, committed_only=True)
    assert orjson.loads(summary.value)["segments"] == 2


async def test_what_was_not_acknowledged_is_sent_again_in_order_by_another_producer(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [LeaderNotAvailableError(), OutOfOrderSequenceNumber(), KafkaError()]
    producers = set()

    async def fail_midway(
        producer: AIOKafkaProducer, names: TopicNames, outputs: Sequence[Output]
    ) -> tuple[int, BaseException | None]:
        producers.add(producer)
        if not failures:
            return await send_in_order(producer, names, outputs)
        sent, _ = await send_in_order(producer, names, outputs[:1])
        return sent, failures.pop()

    monkeypatch.setattr("service.live.delivery.send_in_order", fail_midway)
    await process(kafka_bench, [segment(number) for number in range(8)], "at_least_once")
    seen = await everything(kafka_bench.address, kafka_bench.names.assessments)
    assert [orjson.loads(record.value)["sequence"] for record in seen] == list(range(8))
    assert len(producers) == 4


@EITHER
async def test_a_second_replica_takes_over_the_calls_of_its_partitions(
    kafka_bench: Bench, delivery: str
) -> None:
    settings = kafka_bench.settings(delivery=delivery)
    first, second = PlainObserver(), PlainObserver()
    async with kafka_bench.service(first, settings) as one:
        await send(kafka_bench.address, kafka_bench.names.segments, lines(0))
        await until(lambda: sum(first.batches) >= 12)
        async with kafka_bench.service(second, settings) as two:
            await until(lambda: bool(two.value("auscult_assigned_partitions")))
            await until(lambda: (one.value("auscult_assigned_partitions") or 3) < 3)
            assert set(second.restored) == set(first.forgotten)
            await send(kafka_bench.address, kafka_bench.names.segments, lines(1))
            await until(lambda: sum(first.batches) + sum(second.batches) >= 24)
    assert {len(lines) for observer in (first, second) for lines in observer.seen.values()} == {2}
    seen = await everything(kafka_bench.address, kafka_bench.names.assessments, committed_only=True)
    assert len(ids(seen)) == len(set(ids(seen))) == 24


async def test_a_group_that_is_set_back_assesses_everything_anew(kafka_bench: Bench) -> None:
    await process(kafka_bench, lines(0), "at_least_once")
    await process(kafka_bench, lines(1), "at_least_once")
    options = Connection((kafka_bench.address,)).client_options()
    partitions = [TopicPartition(kafka_bench.names.segments, number) for number in range(3)]
    async with AIOKafkaConsumer(**options, group_id=kafka_bench.prefix, enable_auto_commit=False) as consumer:
        consumer.assign(partitions)
        await consumer.commit(dict.fromkeys(partitions, 0))
    again = PlainObserver()
    async with kafka_bench.service(again, kafka_bench.settings()) as running:
        await until(lambda: sum(again.batches) == 24)
        assert (running.value("auscult_call_states_unusable_total", reason="set_back") or 0) > 0


async def test_states_that_were_deleted_are_missed_aloud_and_no_segment_is_lost(kafka_bench: Bench) -> None:
    await process(kafka_bench, lines(0), "at_least_once")
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka_bench.address)
    await admin.start()
    everywhere = {TopicPartition(kafka_bench.names.state, number): RecordsToDelete(-1) for number in range(3)}
    await admin.alter_configs(
        [ConfigResource(ConfigResourceType.TOPIC, kafka_bench.names.state, {"cleanup.policy": "delete"})]
    )
    await admin.delete_records(everywhere)
    await admin.close()
    again = PlainObserver()
    async with kafka_bench.service(again, kafka_bench.settings()) as running:
        await send(kafka_bench.address, kafka_bench.names.segments, lines(1))
        await until(lambda: sum(again.batches) == 12)
        assert (running.value("auscult_call_states_lost_total") or 0) > 0


async def test_a_state_of_another_form_is_not_used(kafka_bench: Bench) -> None:
    await process(kafka_bench, lines(0), "at_least_once")
    found = (await states(kafka_bench))[CALLS[0]]
    assert found is not None
    (record, *_) = await everything(kafka_bench.address, kafka_bench.names.state)
    call_id = record.key.decode()
    odd = replace(decode_call_state(record.value), payload={"written": "by another version"})
    unreadable = Message(b"{", b"who knows", partition=record.partition)
    await send(
        kafka_bench.address,
        kafka_bench.names.state,
        [Message(encode_call_state(odd), record.key, partition=record.partition), unreadable],
    )
    again = PlainObserver()
    async with kafka_bench.service(again, kafka_bench.settings()) as running:
        await until(lambda: bool(running.value("auscult_assigned_partitions")))
        assert running.value("auscult_call_states_unusable_total", reason="unreadable") == 2
    assert set(again.restored) == set(CALLS) - {call_id}


async def test_a_state_that_is_too_large_is_taken_back(
    kafka_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.call_states.LARGEST_STATE_BYTES", 300)
    await process(kafka_bench, [segment(0, "short")], "at_least_once")
    assert (await states(kafka_bench))["c1"] is not None
    await process(kafka_bench, [segment(1, "long " * 100)], "at_least_once")
    assert (await states(kafka_bench))["c1"] is None


async def test_too_many_records_that_cannot_be_read_stop_the_service(kafka_bench: Bench) -> None:
    settings = kafka_bench.settings(dead_letters=DeadLetterSettings(share=0.25, window=100))
    bad = [Message(b"{", b"bad") for _ in range(30)]
    await send(kafka_bench.address, kafka_bench.names.segments, [*lines(0), *lines(1), *lines(2), *bad])
    with pytest.raises(ServiceFailed, match=r"records could not be read, more than kafka.dead_letters.share"):
        await run_until_it_ends(kafka_bench, PlainObserver(), settings)


@EITHER
async def test_a_broker_that_stops_and_comes_back_is_waited_for(
    own_bench: Bench, own_kafka: ApacheKafka, delivery: str
) -> None:
    observer = PlainObserver()
    settings = own_bench.settings(delivery=delivery, idempotence=True)
    async with own_bench.service(observer, settings) as running:
        await send(own_bench.address, own_bench.names.segments, lines(0))
        await until(lambda: sum(observer.batches) >= 12)
        base = f"http://127.0.0.1:{running.port}"
        assert (await get(f"{base}/readyz"))[0] == 200
        await asyncio.to_thread(own_kafka.kill)
        try:
            await until_ready(base, False)
            assert (await get(f"{base}/livez"))[0] == 200
        finally:
            await asyncio.to_thread(own_kafka.start)
        await send(own_bench.address, own_bench.names.segments, lines(1))
        await until_seen(own_bench, 24)
        await until_ready(base, True)
    if delivery == "exactly_once":
        assert await until_seen(own_bench, 24) == 24


@EITHER
async def test_it_stops_in_time_when_the_broker_is_gone(
    own_bench: Bench, own_kafka: ApacheKafka, delivery: str
) -> None:
    observer = PlainObserver()
    settings = own_bench.settings(delivery=delivery, idempotence=True, drain_seconds=6)
    try:
        async with own_bench.service(observer, settings) as running:
            await send(own_bench.address, own_bench.names.segments, lines(0))
            await until(lambda: sum(observer.batches) >= 12)
            await asyncio.to_thread(own_kafka.kill)
            running.service.stop()
            async with asyncio.timeout(10):
                await asyncio.wait({running.task})
    finally:
        await asyncio.to_thread(own_kafka.start)
