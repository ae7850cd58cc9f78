"""A call's state: written and read back, and refused when it is something else."""

import orjson
import pytest

from streams.call_state import STATE_SCHEMA_VERSION, CallStateRecord, decode_call_state, encode_call_state
from streams.fields import MalformedRecord

RECORD = CallStateRecord(
    call_id="c1",
    topic="transcripts.segments",
    offset=41,
    read_from=30,
    payload={"lines": [{"text": "no fever"}], "risk": 0.25},
)


@pytest.mark.parametrize(
    "record", [RECORD, CallStateRecord(call_id="c2", topic="t", offset=0, read_from=0, ended=True)]
)
def test_what_is_written_is_read_back(record: CallStateRecord) -> None:
    assert decode_call_state(encode_call_state(record)) == record


def test_its_repr_holds_nothing_of_what_was_said() -> None:
    assert "fever" not in repr(RECORD)


@pytest.mark.parametrize(
    ("changes", "kind", "place"),
    [
        ({"schema_version": STATE_SCHEMA_VERSION + 1}, "unknown_message", "schema_version"),
        ({"call_id": None}, "wrong_type", "call_id"),
        ({"offset": "41"}, "wrong_type", "offset"),
        ({"read_from": True}, "wrong_type", "read_from"),
        ({"ended": 1}, "wrong_type", "ended"),
        ({"state": ["no fever"]}, "wrong_type", "state"),
    ],
)
def test_another_form_is_refused_without_quoting_it(
    changes: dict[str, object], kind: str, place: str
) -> None:
    value = orjson.dumps(orjson.loads(encode_call_state(RECORD)) | changes)
    with pytest.raises(MalformedRecord) as caught:
        decode_call_state(value)
    assert (caught.value.kind, caught.value.place) == (kind, place)
    assert "fever" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "kind"), [(b"{", "not_json"), (b"\xff", "not_json"), (b"[]", "not_an_object")]
)
def test_what_is_no_record_is_refused(value: bytes, kind: str) -> None:
    with pytest.raises(MalformedRecord) as caught:
        decode_call_state(value)
    assert caught.value.kind == kind
