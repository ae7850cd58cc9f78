"""Records that could not be read, as they go to the dead-letter topic: the original, its origin and error."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from streams.fields import MalformedRecord

FORWARDED_BYTES: Final = 900_000
"""The longest value that is forwarded whole: a broker refuses more than about 1 MiB with key and headers."""

FORWARDED_KEY_BYTES: Final = 4_096
"""The longest key that is forwarded whole."""

FORWARDED_HEADER_BYTES: Final = 16_384
"""The most that names and values of headers may have together to be forwarded; else none is."""

ORIGIN_HEADER_PREFIX: Final = "origin-header-"
"""Put before the name of each header of the original."""

Headers = Sequence[tuple[str, bytes | None]]
"""A record's headers, in order; a name may come more than once."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record was read.

    Attributes:
        topic: The topic.
        partition: Its partition.
        offset: The record's place in the partition.
        timestamp_ms: The record's own time, milliseconds since 1970.
        key: May name a patient in a careless deployment: never logged.
        headers: The record's own: in a recogniser's topic they say what its messages do not. Never logged.
    """

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None = field(default=None, repr=False)
    headers: Headers = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A record for the dead-letter topic. The value is the original's and may hold transcript text.

    Attributes:
        key: The original's.
        value: The original's.
        headers: Where it was read and why it was refused; hold no text of it.
        forwarded: Headers of the original, under names that begin with `ORIGIN_HEADER_PREFIX`.
    """

    key: bytes | None = field(repr=False)
    value: bytes = field(repr=False)
    headers: dict[str, str]
    forwarded: Headers = field(default=(), repr=False)


def dead_letter(origin: Origin, value: bytes, error: MalformedRecord) -> DeadLetter:
    """The original key, value and headers, as far as they are not too big to forward, with where and why."""
    headers = {
        "origin-topic": origin.topic,
        "origin-partition": str(origin.partition),
        "origin-offset": str(origin.offset),
        "origin-timestamp": str(origin.timestamp_ms),
        "error-kind": error.kind,
        "error-place": error.place,
        "content-type": "application/octet-stream",
    }
    if error.adapter is not None:
        headers["error-adapter"] = error.adapter
    if len(value) > FORWARDED_BYTES:
        headers["truncated-value-bytes"] = str(len(value))
    if origin.key is not None and len(origin.key) > FORWARDED_KEY_BYTES:
        headers["truncated-key-bytes"] = str(len(origin.key))
    header_bytes = sum(len(name.encode()) + len(content or b"") for name, content in origin.headers)
    forwarded = [(ORIGIN_HEADER_PREFIX + name, content) for name, content in origin.headers]
    if header_bytes > FORWARDED_HEADER_BYTES:
        headers["truncated-header-bytes"] = str(header_bytes)
        forwarded = []
    key = None if origin.key is None else origin.key[:FORWARDED_KEY_BYTES]
    return DeadLetter(key, value[:FORWARDED_BYTES], headers, tuple(forwarded))
