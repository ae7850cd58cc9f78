"""The state of a call, as it moves with its partition: a compacted topic keeps the last one of each open call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from streams.fields import MalformedRecord

STATE_SCHEMA_VERSION: Final = 1
"""Of a record around its state; the state's own form has a version of its own within it."""

_ENDED: Final = "ended"
_FIELDS: Final[Mapping[str, type]] = {
    "call_id": str,
    "topic": str,
    "offset": int,
    "read_from": int,
    _ENDED: bool,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStateRecord:
    """All that must be known of a call to go on with it elsewhere.

    Attributes:
        call_id: The call; the record's key.
        topic: The topic whose records the state includes. The state is in the partition of the same number.
        offset: The last record that the state includes: a record of this call up to here is not taken in again.
        read_from: Where the group would have read on when this was written. A group that reads on from before it
            has been set back on purpose, to assess everything anew: then the state does not count.
        ended: Whether the call is over and summarised. Such a record stands until the group has read past `offset`,
            so that what is read again does not begin the call anew; a tombstone follows it.
        payload: The state as JSON-able data, made and understood by whoever follows the call. Holds transcript text.
    """

    call_id: str
    topic: str
    offset: int
    read_from: int
    ended: bool = False
    payload: Mapping[str, Any] = field(default_factory=dict, repr=False)


def encode_call_state(record: CallStateRecord) -> bytes:
    """The record's value. A tombstone (no value) is written when nothing of the call is needed any more."""
    return orjson.dumps(
        {
            "schema_version": STATE_SCHEMA_VERSION,
            "call_id": record.call_id,
            "topic": record.topic,
            "offset": record.offset,
            "read_from": record.read_from,
            _ENDED: record.ended,
            "state": record.payload,
        }
    )


def decode_call_state(value: bytes) -> CallStateRecord:
    """Reads what `encode_call_state` wrote.

    Raises:
        MalformedRecord: it is no such record, or of another version.
    """
    try:
        fields = orjson.loads(value)
    except orjson.JSONDecodeError:
        raise MalformedRecord("not_json") from None
    if not isinstance(fields, dict):
        raise MalformedRecord("not_an_object")
    if fields.get("schema_version") != STATE_SCHEMA_VERSION:
        raise MalformedRecord("unknown_message", "schema_version")
    for name, type_ in _FIELDS.items():
        if type(fields.get(name)) is not type_:
            raise MalformedRecord("wrong_type", name)
    if not isinstance(fields.get("state"), dict):
        raise MalformedRecord("wrong_type", "state")
    return CallStateRecord(payload=fields["state"], **{name: fields[name] for name in _FIELDS})
