"""The topics: their names, how long each keeps its records, and creating them."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from streams.connection import Connection


@dataclass(frozen=True, slots=True)
class TopicNames:
    """What each topic is called. `prefixed` puts one prefix before all of them."""

    segments: str = "transcripts.segments"
    assessments: str = "transcripts.assessments"
    flags: str = "transcripts.flags"
    calls: str = "transcripts.calls"
    state: str = "transcripts.state"
    reviews: str = "transcripts.reviews"
    audit: str = "transcripts.audit"
    dead_letters: str = "transcripts.dead-letters"

    def prefixed(self, prefix: str) -> "TopicNames":
        """The same names, each after the prefix."""
        return TopicNames(**{field.name: prefix + getattr(self, field.name) for field in fields(self)})


RETENTION: Final[dict[str, timedelta | None]] = {
    "segments": timedelta(days=7),
    "assessments": timedelta(days=30),
    "flags": timedelta(days=90),
    "calls": timedelta(days=90),
    "state": None,
    "reviews": None,
    "audit": timedelta(days=6 * 365),
    "dead_letters": timedelta(days=14),
}
"""How long the topic of each field of `TopicNames` keeps a record. None: compacted."""


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
    await admin.start()
    try:
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
    await admin.start()
    try:
        existing = set(await admin.list_topics())
    finally:
        await admin.close()
    return tuple(name for name in names if name not in existing)


def _retention_options(keep: timedelta | None) -> dict[str, str]:
    if keep is None:
        return {"cleanup.policy": "compact"}
    return {"cleanup.policy": "delete", "retention.ms": str(int(keep.total_seconds() * 1000))}


def _created(outcomes: Iterable[tuple[str, int, str | None]]) -> Iterable[str]:
    for topic, code, *_ in outcomes:
        error = for_code(code)
        if error is TopicAlreadyExistsError:
            continue
        if code:
            raise error(topic)
        yield topic
