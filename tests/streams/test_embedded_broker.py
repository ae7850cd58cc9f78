"""The embedded broker: it answers when it is given out, and it is gone afterwards."""

import socket

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from streams.administration import create_topics
from streams.connection import Connection
from streams.embedded_broker import embedded_broker
from streams.topics import TopicNames


async def test_what_is_sent_is_received() -> None:
    names = TopicNames().prefixed("test.")
    with embedded_broker() as address:
        connection = Connection((address,))
        created = await create_topics(connection, names, partitions=2, replication=1)
        assert "test.transcripts.dead-letters" in created
        assert len(created) == 8
        async with AIOKafkaProducer(**connection.client_options(), acks="all") as producer:
            await producer.send_and_wait(names.segments, b"{}", key=b"c1")
        async with AIOKafkaConsumer(
            names.segments, **connection.client_options(), auto_offset_reset="earliest"
        ) as consumer:
            record = await consumer.getone()
        assert (record.key, record.value) == (b"c1", b"{}")


async def test_topics_that_exist_are_left_alone() -> None:
    with embedded_broker() as address:
        connection = Connection((address,))
        await create_topics(connection, TopicNames(), partitions=2, replication=1)
        assert await create_topics(connection, TopicNames(), partitions=3, replication=1) == ()


def test_it_is_gone_afterwards_also_when_interrupted() -> None:
    def interrupted() -> str:
        with embedded_broker() as address:
            host, port = address.split(":")
            socket.create_connection((host, int(port))).close()
            addresses.append((host, int(port)))
            raise KeyboardInterrupt

    addresses: list[tuple[str, int]] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(addresses[0])
