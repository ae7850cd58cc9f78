"""Looking at dead letters, and sending them back to where they came from."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from aiokafka import AIOKafkaProducer

from streams.broker import MAX_REQUEST_BYTES, Record
from streams.connection import Connection
from streams.dead_letters import ORIGIN_HEADER_PREFIX, Headers
from streams.whole_topic import partitions_of, read_to_the_end

REPLAYED_HEADER = "auscult-replayed"


@dataclass(frozen=True, slots=True)
class WrittenDeadLetter:
    """A dead letter as it lies in its topic.

    Attributes:
        partition: Of the dead-letter topic.
        offset: Its place there; with the partition it names the letter.
        written_at: Seconds since 1970.
        headers: Origin and error; hold no transcript text.
        original_headers: Those that the record had where it was read.
        key: The original key.
        value: The original value, cut when it was too big. May hold transcript text.
    """

    partition: int
    offset: int
    written_at: float
    headers: dict[str, str]
    original_headers: Headers = field(default=(), repr=False)
    key: bytes | None = field(default=None, repr=False)
    value: bytes = field(default=b"", repr=False)

    @property
    def name(self) -> str:
        """`PARTITION:OFFSET`."""
        return f"{self.partition}:{self.offset}"

    @property
    def whole(self) -> bool:
        """Whether key, value and headers are the original ones, not cut."""
        return not any(name.startswith("truncated-") for name in self.headers)

    @property
    def origin_topic(self) -> str | None:
        """Where it was read, if it says."""
        return self.headers.get("origin-topic")


async def read_dead_letters(connection: Connection, topic: str) -> list[WrittenDeadLetter]:
    """All dead letters that are there now, the oldest first.

    Raises:
        aiokafka.errors.KafkaError: the broker refused, did not answer, or has no such topic.
    """
    letters: list[WrittenDeadLetter] = []
    await read_to_the_end(
        connection, await partitions_of(connection, topic), lambda record: letters.append(_letter(record))
    )
    return sorted(letters, key=lambda letter: (letter.written_at, letter.partition, letter.offset))


async def send_back(connection: Connection, letters: Sequence[WrittenDeadLetter]) -> None:
    """Sends letters to the topics where they were read, each to the partition of its key, with its headers of then.

    Raises:
        aiokafka.errors.KafkaError: one was not acknowledged; others may have been.
    """
    options = connection.client_options()
    async with AIOKafkaProducer(**options, acks="all", max_request_size=MAX_REQUEST_BYTES) as producer:
        sent = [
            await producer.send(
                letter.origin_topic,
                letter.value,
                letter.key,
                headers=[*letter.original_headers, (REPLAYED_HEADER, letter.name.encode())],
            )
            for letter in letters
        ]
        await asyncio.gather(*sent)


def _letter(record: Record) -> WrittenDeadLetter:
    return WrittenDeadLetter(
        partition=record.partition,
        offset=record.offset,
        written_at=record.timestamp / 1000,
        headers={
            name: (content or b"").decode("ascii", "replace")
            for name, content in record.headers
            if not name.startswith(ORIGIN_HEADER_PREFIX)
        },
        original_headers=_original(record.headers),
        key=record.key,
        value=record.value or b"",
    )


def _original(headers: Headers) -> Headers:
    """The original's, without that of an earlier return: it is given anew."""
    named = (
        (name.removeprefix(ORIGIN_HEADER_PREFIX), content)
        for name, content in headers
        if name.startswith(ORIGIN_HEADER_PREFIX)
    )
    return tuple((name, content) for name, content in named if name != REPLAYED_HEADER)
