"""Taking a call's state away, and how long each topic keeps what cannot be taken away."""

import asyncio
from dataclasses import astuple
from datetime import timedelta

from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from streams.connection import Connection
from streams.state_topic import read_states
from streams.topics import TopicNames
from streams.whole_topic import partitions_of


async def forget_state(connection: Connection, topic: str, call_id: str) -> bool:
    """Writes a tombstone wherever the state topic holds something of a call; tells whether it did.

    Raises:
        aiokafka.errors.KafkaError: the broker refused, did not answer, or has no such topic.
    """
    numbers = [partition.partition for partition in await partitions_of(connection, topic)]
    found = await read_states(connection, topic, numbers)
    holding = [number for number, states in found.items() if call_id in states.states]
    async with AIOKafkaProducer(**connection.client_options(), acks="all") as producer:
        sent = [await producer.send(topic, None, call_id.encode(), number) for number in holding]
        await asyncio.gather(*sent)
    return bool(holding)


async def retentions(connection: Connection, names: TopicNames) -> dict[str, timedelta | None]:
    """How long each topic but that of states keeps a record, as the broker has it; None: compacted, or for ever.

    Raises:
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    topics = [topic for topic in astuple(names) if topic != names.state]
    admin = AIOKafkaAdminClient(**connection.client_options())
    try:
        await admin.start()
        answers = await admin.describe_configs(
            [ConfigResource(ConfigResourceType.TOPIC, topic) for topic in topics]
        )
    finally:
        await admin.close()
    options: dict[str, dict[str, str]] = {}
    for answer in answers:
        for _error, _message, _type, topic, entries in answer.resources:
            options[topic] = {entry[0]: entry[1] for entry in entries}
    return {topic: _retention(options.get(topic, {})) for topic in topics}


def _retention(options: dict[str, str]) -> timedelta | None:
    milliseconds = int(options.get("retention.ms", "-1"))
    if "delete" not in options.get("cleanup.policy", "") or milliseconds < 0:
        return None
    return timedelta(milliseconds=milliseconds)
