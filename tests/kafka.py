"""A broker process for tests, and short ways to write to it and to read from it."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from benchmarks.apache_kafka.broker import ApacheKafka, apache_kafka
from benchmarks.apache_kafka.jars import KafkaUnavailable
from streams.broker import Record
from streams.connection import Connection
from streams.embedded_broker import embedded_broker
from streams.topics import TopicNames

WAIT_SECONDS = 30.0


@dataclass(frozen=True)
class Message:
    """A record to send."""

    value: bytes | None
    key: bytes | None = b"c1"
    headers: tuple[tuple[str, bytes | None], ...] = ()
    partition: int | None = None
    timestamp_ms: int | None = None


@pytest.fixture(scope="session")
def broker_address() -> Iterator[str]:
    """One broker for all tests of a run: each uses topics of its own."""
    with embedded_broker() as address:
        yield address


@pytest.fixture(scope="session")
def own_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    """A real Apache Kafka of our own, to be stopped and killed; whoever stops it starts it again."""
    try:
        with apache_kafka(tmp_path_factory.mktemp("kafka")) as broker:
            yield broker
    except KafkaUnavailable as error:
        pytest.skip(f"needs Apache Kafka: {error}")


@pytest.fixture(scope="session")
def kafka_address(request: pytest.FixtureRequest) -> str:
    """Where a real Apache Kafka answers: the one that `AUSCULT_TEST_BOOTSTRAP` names, or one of our own."""
    named = os.environ.get("AUSCULT_TEST_BOOTSTRAP")
    if named:
        return named
    broker: ApacheKafka = request.getfixturevalue("own_kafka")
    return broker.address


def segment(sequence: int, text: str = "no fever", call_id: str = "c1", **changes: Any) -> Message:
    fields = {"call_id": call_id, "sequence": sequence, "speaker": "patient", "text": text}
    return Message(orjson.dumps(fields | changes), call_id.encode())


async def send(address: str, topic: str, messages: Sequence[Message]) -> None:
    """Sends all, in order, as one burst."""
    options = Connection((address,)).client_options()
    async with AIOKafkaProducer(**options, acks="all", max_request_size=2_000_000) as producer:
        sent = [
            await producer.send(
                topic,
                message.value,
                message.key,
                message.partition,
                message.timestamp_ms,
                headers=list(message.headers),
            )
            for message in messages
        ]
        await asyncio.gather(*sent)


async def receive(address: str, topic: str, count: int) -> list[Record]:
    """The first records of a topic; fails when there are not as many within `WAIT_SECONDS`."""
    async with _reader(address, topic) as consumer:
        records: list[Record] = []
        async with asyncio.timeout(WAIT_SECONDS):
            while len(records) < count:
                polled = await consumer.getmany(timeout_ms=100)
                records.extend(record for batch in polled.values() for record in batch)
    return records


async def everything(address: str, topic: str, *, committed_only: bool = False) -> list[Record]:
    """All records that a topic holds now; of transactions, only what is committed where that is asked for."""
    isolation = "read_committed" if committed_only else "read_uncommitted"
    async with _reader(address, topic, isolation) as consumer:
        ends = await consumer.end_offsets(list(consumer.assignment()))
        records: list[Record] = []
        async with asyncio.timeout(WAIT_SECONDS):
            while [each for each, end in ends.items() if await consumer.position(each) < end]:
                for polled in (await consumer.getmany(timeout_ms=100)).values():
                    records.extend(polled)
    return records


async def committed(address: str, topic: str, group: str) -> dict[TopicPartition, int]:
    """A group's committed offsets, as another member would find them."""
    options = Connection((address,)).client_options()
    async with AIOKafkaConsumer(**options, group_id=group, enable_auto_commit=False) as consumer:
        partitions = await _partitions(consumer, topic)
        consumer.assign(partitions)
        offsets = {partition: await consumer.committed(partition) for partition in partitions}
    return {partition: offset for partition, offset in offsets.items() if offset}


@asynccontextmanager
async def _reader(
    address: str, topic: str, isolation: str = "read_uncommitted"
) -> AsyncIterator[AIOKafkaConsumer]:
    options = Connection((address,)).client_options()
    async with AIOKafkaConsumer(
        **options, max_partition_fetch_bytes=4_000_000, isolation_level=isolation
    ) as consumer:
        partitions = await _partitions(consumer, topic)
        consumer.assign(partitions)
        await consumer.seek_to_beginning()
        yield consumer


async def _partitions(consumer: AIOKafkaConsumer, topic: str) -> list[TopicPartition]:
    await consumer._client.force_metadata_update()
    consumer._client.set_topics([topic])
    await consumer._client.force_metadata_update()
    return [TopicPartition(topic, number) for number in consumer.partitions_for_topic(topic) or ()]


def names(prefix: str) -> TopicNames:
    return TopicNames().prefixed(f"{prefix}.")
