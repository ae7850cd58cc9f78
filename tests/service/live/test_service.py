"""The live service on a real broker: what comes in goes out once and in order, whatever stands beside it."""

import asyncio
import socket
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from dataclasses import replace

import orjson
import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import TopicAuthorizationFailedError
from prometheus_client import CollectorRegistry

from service.clock import Clock
from service.live.app import LiveService, ServiceFailed
from service.live.poll import PollProcessor
from service.metrics import AllowedLabels, Metrics
from service.settings import RecogniserTopicSettings, Settings, SheddingSettings
from streams.administration import create_topics
from streams.connection import Connection
from streams.offsets import commit
from tests.kafka import Message, committed, everything, receive, segment, send
from tests.service.live.conftest import Bench, PlainObserver, until

CANARY = "xylocanary"


async def test_every_segment_gives_one_assessment_in_order(bench: Bench) -> None:
    calls = [f"call-{number}" for number in range(7)]
    messages = [segment(sequence, f"line {sequence}", call) for sequence in range(40) for call in calls]
    observer = PlainObserver()
    async with bench.service(observer):
        await send(bench.address, bench.names.segments, messages)
        records = await receive(bench.address, bench.names.assessments, len(messages))
    assert len(await everything(bench.address, bench.names.assessments)) == len(messages)
    sequences = defaultdict(list)
    for record in records:
        fields = orjson.loads(record.value)
        assert record.key.decode() == fields["call_id"]
        sequences[fields["call_id"]].append(fields["sequence"])
    assert sequences == {call: list(range(40)) for call in calls}
    assert max(observer.batches) > 1


async def test_everything_processed_is_committed_and_not_read_again(bench: Bench) -> None:
    messages = [segment(sequence, call_id=f"call-{sequence % 5}") for sequence in range(50)]
    await send(bench.address, bench.names.segments, messages)
    async with bench.service(PlainObserver()):
        await receive(bench.address, bench.names.assessments, 50)
    offsets = await committed(bench.address, bench.names.segments, bench.prefix)
    assert sum(offsets.values()) == 50
    again = PlainObserver()
    async with bench.service(again):
        await send(bench.address, bench.names.segments, [segment(99, call_id="call-new")])
        await receive(bench.address, bench.names.assessments, 51)
    assert sum(again.batches) == 1


BAD = {
    "not_json": Message(b"{" + CANARY.encode()),
    "not_utf8": Message(b'{"text": "\xff\xfe' + CANARY.encode() + b'"}'),
    "not_an_object": Message(orjson.dumps([CANARY])),
    "wrong_type": segment(1, call_id="bad", start=CANARY),
    "missing_call_id": Message(orjson.dumps({"sequence": 1, "speaker": "patient", "text": CANARY})),
    "negative_time": segment(1, CANARY, "bad", start=-1.0),
    "reversed_time": segment(1, CANARY, "bad", start=2.0, end=1.0),
    "text_too_long": segment(1, CANARY * 2_000, "bad"),
    "too_nested": segment(1, CANARY, "bad", extra=[[[[[[[[[[[[[[[[[CANARY]]]]]]]]]]]]]]]]]),
    "record_too_large": segment(1, CANARY * 100_000, "bad"),
}


async def test_each_bad_record_is_one_dead_letter_and_its_neighbours_are_assessed(bench: Bench) -> None:
    messages = [segment(0, call_id="good")]
    for number, bad in enumerate(BAD.values(), start=1):
        # One partition, so that the bad records and the good ones come in the same polls and in this order.
        messages += [bad, segment(number, call_id="good")]
    messages = [Message(each.value, each.key, partition=1) for each in messages]
    await send(bench.address, bench.names.segments, messages)
    async with bench.service(PlainObserver()) as running:
        letters = await receive(bench.address, bench.names.dead_letters, len(BAD))
        good = await receive(bench.address, bench.names.assessments, len(BAD) + 1)
        counted = {kind: running.value("auscult_dead_letters_total", kind=kind) for kind in BAD}
    assert [orjson.loads(record.value)["sequence"] for record in good] == list(range(len(BAD) + 1))
    assert counted == dict.fromkeys(BAD, 1.0)
    assert len(await everything(bench.address, bench.names.dead_letters)) == len(BAD)
    by_kind = {dict(letter.headers)["error-kind"].decode(): letter for letter in letters}
    assert set(by_kind) == set(BAD)
    for offset, (kind, bad) in zip(range(1, 2 * len(BAD), 2), BAD.items(), strict=True):
        letter = by_kind[kind]
        headers = {name: value.decode() for name, value in letter.headers}
        assert headers["origin-topic"] == bench.names.segments
        assert (headers["origin-partition"], headers["origin-offset"]) == ("1", str(offset))
        assert CANARY not in str(headers)
        assert letter.key == bad.key
        if kind == "record_too_large":
            assert headers["truncated-value-bytes"] == str(len(bad.value or b""))
            assert (bad.value or b"").startswith(letter.value)
        else:
            assert letter.value == bad.value


async def test_a_recognisers_topic_is_read_beside_the_segments(bench: Bench) -> None:
    topic = f"{bench.prefix}.deepgram"
    await create_topics(
        Connection((bench.address,)), replace(bench.names, segments=topic), partitions=3, replication=1
    )
    spoken = {
        "type": "Results",
        "channel_index": [1, 2],
        "start": 4.0,
        "duration": 1.5,
        "is_final": True,
        "channel": {"alternatives": [{"transcript": "no fever", "confidence": 0.9, "words": []}]},
    }
    messages = [
        Message(orjson.dumps(spoken), b"theirs"),
        Message(orjson.dumps(spoken), b"theirs"),
        Message(orjson.dumps(spoken | {"start": CANARY}), b"theirs", (("auscult-tenant", b"north"),)),
        Message(orjson.dumps({"type": "Metadata"}), b"theirs"),
    ]
    settings = bench.settings()
    topics = {topic: RecogniserTopicSettings(format="deepgram", channels={"1": "patient"})}
    kafka = settings.kafka.model_copy(update={"recogniser_topics": topics})
    async with bench.service(PlainObserver(), settings.model_copy(update={"kafka": kafka})) as running:
        await send(bench.address, topic, messages)
        await send(bench.address, bench.names.segments, [segment(0, call_id="ours")])
        assessed = await receive(bench.address, bench.names.assessments, 2)
        (ended,) = await receive(bench.address, bench.names.calls, 1)
        (letter,) = await receive(bench.address, bench.names.dead_letters, 1)
        assert running.value("auscult_oddities_total", kind="repeated") == 1
    assert {record.key for record in assessed} == {b"ours", b"theirs"}
    assert ended.key == b"theirs"
    headers = {name: value.decode() for name, value in letter.headers}
    assert (headers["error-adapter"], headers["error-place"]) == ("deepgram", "start")
    assert headers["origin-topic"] == topic
    assert headers["origin-header-auscult-tenant"] == "north"
    assert CANARY not in str(headers)
    assert sum((await committed(bench.address, topic, bench.prefix)).values()) == len(messages)


async def test_what_is_odd_is_counted_and_never_a_dead_letter(bench: Bench) -> None:
    messages = [
        segment(5, "first"),
        segment(5, "first"),
        segment(5, "second"),
        segment(3, "late"),
        segment(6, "nurse", speaker="nurse"),
        segment(7, "not yet", is_final=False),
        Message(None),
        segment(8, "ça va", language="fr"),
    ]
    await send(bench.address, bench.names.segments, messages)
    async with bench.service(PlainObserver()) as running:
        records = await receive(bench.address, bench.names.assessments, 5)
        await until(lambda: running.value("auscult_ignored_records_total", reason="tombstone") == 1)
        counts = {
            kind: running.value("auscult_oddities_total", kind=kind)
            for kind in ("repeated", "revised", "late", "unlisted_speaker")
        }
        assert running.value("auscult_ignored_records_total", reason="non_final") == 1
    fields = [orjson.loads(record.value) for record in records]
    assert [each["sequence"] for each in fields] == [5, 5, 3, 6, 8]
    assert fields[0]["id"] == fields[1]["id"]
    assert [each["revision"] for each in fields] == [False, True, False, False, False]
    assert [each["late"] for each in fields] == [False, False, True, False, False]
    assert fields[3]["speaker"] == "unknown"
    assert counts == {"repeated": 1, "revised": 1, "late": 1, "unlisted_speaker": 1}
    assert await everything(bench.address, bench.names.dead_letters) == []


async def test_headers_that_are_not_utf8_do_no_harm(bench: Bench) -> None:
    good = segment(1)
    odd = Message(good.value, good.key, headers=(("trace", b"\xff\xfe"), ("reply_to", b"\xff")))
    await send(bench.address, bench.names.segments, [segment(0), odd, segment(2)])
    async with bench.service(PlainObserver()):
        records = await receive(bench.address, bench.names.assessments, 3)
    assert [orjson.loads(record.value)["sequence"] for record in records] == [0, 1, 2]


async def test_flags_and_summaries_are_published(bench: Bench) -> None:
    ended = Message(orjson.dumps({"type": "call.ended", "call_id": "c1"}))
    async with bench.service(PlainObserver()) as running:
        await send(bench.address, bench.names.segments, [segment(0, "flag me"), segment(1), ended])
        (flag,) = await receive(bench.address, bench.names.flags, 1)
        (summary,) = await receive(bench.address, bench.names.calls, 1)
        await until(lambda: running.value("auscult_active_calls", worst_flag="none") == 0)
    assert orjson.loads(flag.value)["segment"]["text"] == "flag me"
    assert (orjson.loads(summary.value)["segments"], summary.key) == (2, b"c1")


async def test_what_is_remembered_of_a_call_ends_with_it_and_begins_again_with_it(bench: Bench) -> None:
    ended = [
        Message(orjson.dumps({"type": "call.ended", "call_id": call}), call.encode())
        for call in ("c1", "c1", "c2")
    ]
    async with bench.service(PlainObserver()) as running:
        messages = [segment(0), *ended[:2], segment(0, call_id="c2"), ended[2], segment(1, call_id="c2")]
        await send(bench.address, bench.names.segments, messages)
        await receive(bench.address, bench.names.calls, 3)
        await receive(bench.address, bench.names.assessments, 3)
        followed = running.service._ownership
        assert followed.release(followed.partitions) == ["c2"]


async def test_silent_calls_are_summarised(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.live.app.SILENCE_CHECK_SECONDS", 0.1)
    observer = PlainObserver()
    async with bench.service(observer):
        await send(bench.address, bench.names.segments, [segment(0)])
        await receive(bench.address, bench.names.assessments, 1)
        observer.silent_calls = ["c1"]
        (summary,) = await receive(bench.address, bench.names.calls, 1)
    assert orjson.loads(summary.value)["call_id"] == "c1"


async def test_nothing_is_committed_before_its_outputs_are_acknowledged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_delivery: object, _outputs: object) -> None:
        raise TopicAuthorizationFailedError

    monkeypatch.setattr("service.live.app.AtLeastOnce.publish", refuse)
    await send(bench.address, bench.names.segments, [segment(0)])
    with pytest.raises(ServiceFailed, match="TopicAuthorizationFailedError"):
        await run_until_it_ends(bench, PlainObserver())
    assert await committed(bench.address, bench.names.segments, bench.prefix) == {}
    monkeypatch.undo()
    async with bench.service(PlainObserver()):
        assert len(await receive(bench.address, bench.names.assessments, 1)) == 1


async def test_a_failing_observer_ends_the_service_without_its_message(bench: Bench) -> None:
    def fail(_batch: object) -> None:
        raise ValueError(CANARY)

    await send(bench.address, bench.names.segments, [segment(0)])
    with pytest.raises(ServiceFailed, match="ValueError") as caught:
        await run_until_it_ends(bench, PlainObserver(before=fail))
    assert CANARY not in str(caught.value)
    assert await committed(bench.address, bench.names.segments, bench.prefix) == {}


async def run_until_it_ends(bench: Bench, observer: PlainObserver, settings: Settings | None = None) -> None:
    async with bench.service(observer, settings) as running:
        await asyncio.wait({running.task}, timeout=30)
        assert running.task.done()


async def test_a_commit_that_fails_is_counted_and_nothing_is_assessed_twice(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = iter(["CommitFailedError"])

    async def fail_once(
        consumer: AIOKafkaConsumer, offsets: dict[TopicPartition, int], seconds: float
    ) -> str | None:
        return next(outcomes, None) or await commit(consumer, offsets, seconds)

    monkeypatch.setattr("service.live.delivery.commit", fail_once)
    async with bench.service(PlainObserver()) as running:
        await send(bench.address, bench.names.segments, [segment(0)])
        await receive(bench.address, bench.names.assessments, 1)
        await send(bench.address, bench.names.segments, [segment(1)])
        await receive(bench.address, bench.names.assessments, 2)
        assert running.value("auscult_commit_failures_total") == 1
    assert len(await everything(bench.address, bench.names.assessments)) == 2
    assert sum((await committed(bench.address, bench.names.segments, bench.prefix)).values()) == 2


async def test_a_broker_that_is_not_there_ends_the_service(bench: Bench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"127.0.0.1:{closed.getsockname()[1]}"
    absent = Bench(address, bench.prefix, bench.names)
    with pytest.raises(ServiceFailed, match="Kafka cannot be used: KafkaConnectionError"):
        await run_until_it_ends(absent, PlainObserver())


async def test_a_port_that_is_taken_is_named(bench: Bench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = bench.settings()
        http = settings.http.model_copy(update={"port": port})
        service = LiveService(
            settings.model_copy(update={"http": http}),
            PlainObserver(),
            Metrics(CollectorRegistry(), AllowedLabels()),
            Clock(),
        )
        with pytest.raises(ServiceFailed, match=f"http: cannot listen on 127.0.0.1:{port}"):
            await service.run()


async def test_stopping_finishes_the_poll_in_flight_and_commits_it(bench: Bench) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(_batch: object) -> None:
        started.set()
        assert go_on.wait(30)

    async with bench.service(PlainObserver(before=slow)) as running:
        await send(bench.address, bench.names.segments, [segment(0)])
        await until(started.is_set)
        running.service.stop()
        await asyncio.sleep(0)
        assert not running.task.done()
        go_on.set()
        await asyncio.wait_for(running.task, 30)
    assert len(await everything(bench.address, bench.names.assessments)) == 1
    offsets = await committed(bench.address, bench.names.segments, bench.prefix)
    assert sum(offsets.values()) == 1


async def test_partitions_move_to_a_second_replica_and_their_calls_are_forgotten(bench: Bench) -> None:
    first, second = PlainObserver(), PlainObserver()
    calls = [f"call-{number}" for number in range(12)]
    async with bench.service(first) as one:
        await send(bench.address, bench.names.segments, [segment(0, call_id=call) for call in calls])
        await receive(bench.address, bench.names.assessments, 12)
        assert one.value("auscult_assigned_partitions") == 3
        async with bench.service(second) as two:
            await until(lambda: bool(two.value("auscult_assigned_partitions")))
            await until(lambda: (one.value("auscult_assigned_partitions") or 3) < 3)
            assert first.forgotten
            # The partitions that stayed kept their calls.
            assert set(first.seen) == set(calls) - set(first.forgotten)
            await send(bench.address, bench.names.segments, [segment(1, call_id=call) for call in calls])
            await receive(bench.address, bench.names.assessments, 24)
            assert set(second.seen) == set(first.forgotten)
            partitions = {str(number) for number in range(3)}
            series = {
                number
                for number in partitions
                if one.value(
                    "auscult_newest_event_timestamp_seconds",
                    topic=bench.names.segments,
                    partition=number,
                )
            }
            assert len(series) == one.value("auscult_assigned_partitions")
    records = await everything(bench.address, bench.names.assessments)
    ids = [orjson.loads(record.value)["id"] for record in records]
    assert len(ids) == len(set(ids)) == 24


async def test_a_rebalance_in_the_middle_of_a_poll_neither_loses_nor_wedges(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()
    asked_in_flight = asyncio.Event()
    settle = PollProcessor.settle

    async def note(processor: PollProcessor) -> None:
        if started.is_set():
            asked_in_flight.set()
        await settle(processor)

    monkeypatch.setattr(PollProcessor, "settle", note)

    def slow(_batch: object) -> None:
        started.set()
        assert go_on.wait(30)

    first, second = PlainObserver(before=slow), PlainObserver()
    calls = [f"call-{number}" for number in range(12)]
    async with bench.service(first):
        await send(bench.address, bench.names.segments, [segment(0, call_id=call) for call in calls])
        await until(started.is_set)
        async with bench.service(second) as two:
            # The second replica's joining makes the first give up its partitions while it computes.
            await asyncio.wait_for(asked_in_flight.wait(), 30)
            assert two.value("auscult_assigned_partitions") == 0
            go_on.set()
            await until(lambda: bool(two.value("auscult_assigned_partitions")))
            await send(bench.address, bench.names.segments, [segment(1, call_id=call) for call in calls])
            await until(lambda: sum(first.batches) + sum(second.batches) >= 24)
    records = await everything(bench.address, bench.names.assessments)
    ids = {orjson.loads(record.value)["id"] for record in records}
    assert len(ids) == 24


async def test_signals_are_left_out_while_what_is_read_is_late(bench: Bench) -> None:
    hour_ago = round((time.time() - 3_600) * 1000)
    late = [replace(segment(number), timestamp_ms=hour_ago) for number in range(2)]
    settings = bench.settings(shedding=SheddingSettings(signals=("embedding_drift",)))
    observer = PlainObserver()
    async with bench.service(observer, settings) as running:
        await send(bench.address, bench.names.segments, late)
        await receive(bench.address, bench.names.assessments, 2)
        assert running.value("auscult_shedding") == 1
        await send(bench.address, bench.names.segments, [segment(2)])
        await receive(bench.address, bench.names.assessments, 3)
        assert running.value("auscult_shedding") == 0
    *behind, caught_up = observer.shed
    assert set(behind) == {frozenset({"embedding_drift"})}
    assert caught_up == frozenset()


async def get(url: str) -> tuple[int, bytes]:
    """Status and body of an answer over HTTP."""

    def fetch() -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - a local http address
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    return await asyncio.to_thread(fetch)


async def test_http_answers(bench: Bench) -> None:
    async with bench.service(PlainObserver()) as running:
        base = f"http://127.0.0.1:{running.port}"
        await until(lambda: bool(running.value("auscult_assigned_partitions")))
        await send(bench.address, bench.names.segments, [segment(0, tenant="north", asr={"provider": "zzz"})])
        await receive(bench.address, bench.names.assessments, 1)
        assert (await get(f"{base}/livez"))[0] == 200
        status, body = await get(f"{base}/readyz")
        assert (status, orjson.loads(body)["assigned_partitions"]) == (200, 3)
        lag = 'auscult_consumer_lag_records{partition="0"'
        await until(
            lambda: (
                running.value("auscult_consumer_lag_records", topic=bench.names.segments, partition="0") == 0
            )
        )
        metrics = (await get(f"{base}/metrics"))[1].decode()
        assert lag in metrics
        assert (
            'auscult_segments_total{asr_model="other",asr_provider="other",speaker="patient",tenant="north"} 1.0'
            in metrics
        )
        document = orjson.loads((await get(f"{base}/asyncapi.json"))[1])
        addresses = {channel["address"] for channel in document["channels"].values()}
        assert {bench.names.segments, bench.names.assessments, bench.names.dead_letters} <= addresses
        schemas = document["components"]["schemas"]
        assert "confidence" in schemas["SegmentRecord"]["properties"]
        assert "quality_recommendation" in schemas["AssessmentRecord"]["properties"]
        assert (await get(f"{base}/asyncapi"))[0] == 200
        assert (await get(f"{base}/asyncapi/try"))[0] == 404


async def test_a_loop_that_no_longer_polls_is_not_live(bench: Bench) -> None:
    started, go_on = threading.Event(), threading.Event()

    def hang(_batch: object) -> None:
        started.set()
        assert go_on.wait(30)

    settings = bench.settings()
    http = settings.http.model_copy(update={"stalled_seconds": 0.3})
    settings = settings.model_copy(update={"http": http})
    async with bench.service(PlainObserver(before=hang), settings) as running:
        await send(bench.address, bench.names.segments, [segment(0)])
        await until(started.is_set)
        await until(lambda: running.service._health.idle_seconds > http.stalled_seconds)
        assert (await get(f"http://127.0.0.1:{running.port}/livez"))[0] == 503
        assert (await get(f"http://127.0.0.1:{running.port}/readyz"))[0] == 503
        go_on.set()
