"""Creating topics, and seeing which are missing."""

from collections.abc import Iterable
from datetime import timedelta

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from streams.connection import Connection
from streams.topics import COMPACTION, RETENTION, TopicNames


async def create_topics(
    connection: Connection, names: TopicNames, *, partitions: int, replication: int
) -> tuple[str, ...]:
    """Creates the topics that do not exist yet; those that exist keep their settings.

    Args:
        connection: To the broker; its user needs the right to create topics.
        names: What the topics are called.
        partitions: Of each topic: an upper limit to the number of replicas of the service.
        replication: Copies of each partition.

    Returns:
        The names of the created topics.

    Raises:
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    topics = [
        NewTopic(getattr(names, field), partitions, replication, topic_configs=_retention_options(keep))
        for field, keep in RETENTION.items()
    ]
    admin = AIOKafkaAdminClient(**connection.client_options())
    try:
        await admin.start()
        response = await admin.create_topics(topics)
    finally:
        await admin.close()
    return tuple(_created(response.topic_errors))


async def missing_topics(connection: Connection, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the topics that do not exist.

    Raises:
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    admin = AIOKafkaAdminClient(**connection.client_options())
    try:
        await admin.start()
        existing = set(await admin.list_topics())
    finally:
        await admin.close()
    return tuple(name for name in names if name not in existing)


async def partition_counts(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """How many partitions each of the topics has, for those that exist.

    Raises:
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    admin = AIOKafkaAdminClient(**connection.client_options())
    try:
        await admin.start()
        described = await admin.describe_topics(list(names))
    finally:
        await admin.close()
    return {each["topic"]: len(each["partitions"]) for each in described if not each["error_code"]}


def _retention_options(keep: timedelta | None) -> dict[str, str]:
    if keep is None:
        return dict(COMPACTION)
    return {"cleanup.policy": "delete", "retention.ms": str(int(keep.total_seconds() * 1000))}


def _created(outcomes: Iterable[tuple[str, int, str | None]]) -> Iterable[str]:
    for topic, code, *_ in outcomes:
        error = for_code(code)
        if error is TopicAlreadyExistsError:
            continue
        if code:
            raise error(topic)
        yield topic
