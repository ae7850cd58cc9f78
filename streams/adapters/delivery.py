"""What a record says beside its value: its key is the call's id, its headers what recognisers do not know."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from streams.adapters.times import required_instant
from streams.decoding import SPEAKERS
from streams.fields import InputOddity, Limits, MalformedRecord, call_id
from streams.messages import Speaker

CALL_ID_HEADER: Final = "auscult-call-id"
SPEAKER_HEADER: Final = "auscult-speaker"
STREAM_START_HEADER: Final = "auscult-stream-start"
TENANT_HEADER: Final = "auscult-tenant"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A record's key and headers, as they came."""

    key: bytes | None = field(default=None, repr=False)
    headers: Sequence[tuple[str, bytes]] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a record's key and headers say.

    Attributes:
        call_id: The call.
        speaker: Who is heard in the recogniser's stream, if it hears one person only.
        stream_start: Where the recogniser's stream begins in the call, seconds from call start.
        tenant: The tenant.
    """

    call_id: str
    speaker: Speaker | None = None
    stream_start: float = 0.0
    tenant: str | None = None


def circumstances(delivery: Delivery, limits: Limits, oddities: list[InputOddity]) -> Circumstances:
    """Reads a record's key and headers.

    Raises:
        MalformedRecord: they name no call, or one of them is not what it should be.
    """
    headers = dict(delivery.headers)
    named = _header(headers, CALL_ID_HEADER, limits)
    return Circumstances(
        call_id=_call_id(delivery.key, limits)
        if named is None
        else call_id(named, f"header {CALL_ID_HEADER}", limits),
        speaker=_speaker(_header(headers, SPEAKER_HEADER, limits), oddities),
        stream_start=_stream_start(_header(headers, STREAM_START_HEADER, limits)),
        tenant=_header(headers, TENANT_HEADER, limits),
    )


def _call_id(key: bytes | None, limits: Limits) -> str:
    try:
        return call_id(None if key is None else key.decode(), "key", limits)
    except UnicodeDecodeError:
        raise MalformedRecord("invalid_call_id", "key") from None


def _header(headers: dict[str, bytes], name: str, limits: Limits) -> str | None:
    value = headers.get(name)
    if value is None:
        return None
    try:
        written = value.decode()
    except UnicodeDecodeError:
        raise MalformedRecord("wrong_type", f"header {name}") from None
    if len(written) > limits.field_characters:
        raise MalformedRecord("field_too_long", f"header {name}")
    return written


def _speaker(named: str | None, oddities: list[InputOddity]) -> Speaker | None:
    if named is None:
        return None
    speaker = SPEAKERS.get(named)
    if speaker is None:
        oddities.append("unlisted_speaker")
        return "unknown"
    return speaker


def _stream_start(written: str | None) -> float:
    if written is None:
        return 0.0
    try:
        seconds = float(written)
    except ValueError:
        raise MalformedRecord("wrong_type", f"header {STREAM_START_HEADER}") from None
    return required_instant({STREAM_START_HEADER: seconds}, STREAM_START_HEADER, "header ")
