"""The FastStream broker: one connection for reading, writing and the AsyncAPI document."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from aiokafka import ConsumerRebalanceListener, ConsumerRecord
from faststream import AckPolicy
from faststream.kafka import KafkaBroker, KafkaMessage
from faststream.kafka.message import FAKE_CONSUMER
from faststream.kafka.schemas import Topic
from faststream.kafka.subscriber.usecase import BatchSubscriber

from streams.connection import Connection

MAX_REQUEST_BYTES: Final = 1_100_000
"""Above the 1 MiB that a broker takes by default: the broker's own limit decides, not the client's."""

PRODUCER_BATCH_BYTES: Final = 128 * 1024

Record: TypeAlias = "ConsumerRecord[bytes, bytes]"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a replica reads.

    Attributes:
        topics: What it reads.
        group: The consumer group whose work it shares.
        member: Static member id, or None.
        records: Most records of one poll.
        wait_seconds: How long an empty poll waits; FastStream waits as long again after it.
        fetch_seconds: How long the broker may hold a fetch for which it has nothing. Records of a partition that
            the fetch in flight does not ask for wait as long: the client has one fetch in flight for each broker.
        session_seconds: Out of the group after so long without a heartbeat.
        heartbeat_seconds: Between two heartbeats.
        poll_interval_seconds: Out of the group after so long without a poll.
        rebalance_seconds: Out of the group when it has not settled its work so long after a rebalance began.
    """

    topics: tuple[str, ...]
    group: str
    member: str | None
    records: int
    wait_seconds: float
    fetch_seconds: float
    session_seconds: float
    heartbeat_seconds: float
    poll_interval_seconds: float
    rebalance_seconds: float


def make_broker(connection: Connection, *, drain_seconds: float) -> KafkaBroker:
    """The broker, not yet connected. It reads; outputs have producers of their own, which can be replaced.

    Args:
        connection: How to reach Kafka.
        drain_seconds: How long a poll in flight may take at shutdown.

    Raises:
        InvalidConnection: a certificate file cannot be used.
    """
    return KafkaBroker(
        list(connection.bootstrap_servers),
        client_id=connection.client_id,
        security=connection.security(),
        graceful_timeout=drain_seconds,
        logger=logging.getLogger(__name__),
        log_level=logging.DEBUG,
    )


def subscribe(
    broker: KafkaBroker, options: ReadingOptions, listener: ConsumerRebalanceListener
) -> BatchSubscriber:
    """A subscriber that hands over raw records, poll by poll, and acknowledges nothing by itself.

    FastStream's own parser decodes headers as UTF-8 and its decoder the bodies as JSON; either failing would lose
    the whole poll. So both are replaced, and each record is decoded where one that is wrong stays alone.
    """
    subscriber = broker.subscriber(
        # Not declared: topics are created with their retention, by `topics.py` or by the platform.
        *(Topic(name, declare=False) for name in options.topics),
        batch=True,
        max_records=options.records,
        batch_timeout_ms=round(options.wait_seconds * 1000),
        fetch_max_wait_ms=round(options.fetch_seconds * 1000),
        group_id=options.group,
        group_instance_id=options.member,
        auto_offset_reset="earliest",
        ack_policy=AckPolicy.MANUAL,
        listener=listener,
        session_timeout_ms=round(options.session_seconds * 1000),
        heartbeat_interval_ms=round(options.heartbeat_seconds * 1000),
        max_poll_interval_ms=round(options.poll_interval_seconds * 1000),
        rebalance_timeout_ms=round(options.rebalance_seconds * 1000),
        parser=_unparsed,
        decoder=_undecoded,
        no_reply=True,
    )
    assert isinstance(subscriber, BatchSubscriber)  # noqa: S101 - batch=True returns nothing else
    return subscriber


async def _unparsed(records: Sequence[Record]) -> KafkaMessage:
    return KafkaMessage(body=b"", raw_message=tuple(records), consumer=FAKE_CONSUMER)


async def _undecoded(_message: KafkaMessage) -> list[Any]:
    """No bodies: the handler takes the message itself, and its other argument names their type for the document."""
    return []
