"""Reads what the service publishes, as any consumer of the topics would, until all of the calls has come."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiokafka import AIOKafkaConsumer, ConsumerRecord

from service.demo.outcome import RaisedFlag, read_flag
from streams.connection import Connection
from streams.topics import TopicNames

Summary = Mapping[str, Any]
"""A record of the calls topic."""


@dataclass(slots=True)
class Outcomes:
    """Everything that was published about some calls; each thing once, by its id.

    Args:
        expected: How many segments each call has.
        flags: Flags in the order in which they came, by id.
        summaries: By call.
    """

    expected: Mapping[str, int]
    flags: dict[str, RaisedFlag] = field(default_factory=dict, repr=False)
    summaries: dict[str, Summary] = field(default_factory=dict, repr=False)
    assessed: set[tuple[str, int]] = field(default_factory=set)
    _announced: set[str] = field(default_factory=set)

    def add_assessment(self, value: bytes) -> None:
        """Takes a record of the assessments topic."""
        record = orjson.loads(value)
        self.assessed.add((record["call_id"], record["sequence"]))
        self._announced.update(flag["id"] for flag in record["flags"])

    def add_flag(self, value: bytes) -> RaisedFlag | None:
        """Takes a record of the flags topic; returns the flag unless it has come before."""
        raised = read_flag(value)
        if raised.flag.id in self.flags:
            return None
        self.flags[raised.flag.id] = raised
        return raised

    def add_summary(self, value: bytes) -> None:
        """Takes a record of the calls topic."""
        record = orjson.loads(value)
        self.summaries[record["call_id"]] = record

    @property
    def complete(self) -> bool:
        """Whether every segment is assessed, every flag of an assessment is here, and every call has its summary."""
        return (
            len(self.assessed) == sum(self.expected.values())
            and self._announced <= self.flags.keys()
            and self.summaries.keys() >= self.expected.keys()
        )


async def listen(
    connection: Connection,
    topics: TopicNames,
    outcomes: Outcomes,
    on_flag: Callable[[RaisedFlag], None],
    on_assessed: Callable[[int], None],
) -> None:
    """Reads the topics from their beginning into `outcomes` and returns when those are complete.

    Args:
        connection: To the broker; the topics exist.
        topics: What they are called.
        outcomes: Filled.
        on_flag: Told of each flag, once.
        on_assessed: Told how many segments are assessed so far.
    """
    consumer = AIOKafkaConsumer(
        topics.assessments,
        topics.flags,
        topics.calls,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        **connection.client_options(),
    )

    def take(record: "ConsumerRecord[bytes, bytes]") -> None:
        if record.topic == topics.assessments:
            outcomes.add_assessment(record.value)
            on_assessed(len(outcomes.assessed))
        elif record.topic == topics.calls:
            outcomes.add_summary(record.value)
        elif (raised := outcomes.add_flag(record.value)) is not None:
            on_flag(raised)

    async with consumer:
        while not outcomes.complete:
            take(await consumer.getone())
