"""Recorded calls are read line by line; what cannot be read is named by its number, never quoted."""

import orjson

from service.perturbation.transcripts import read_calls
from service.scoring import UnreadableLine
from streams.decoding import Limits


def test_calls_are_told_apart_and_bad_lines_are_reported() -> None:
    def line(call_id: str, sequence: int) -> bytes:
        return orjson.dumps(
            {"call_id": call_id, "sequence": sequence, "speaker": "patient", "text": "canary"}
        )

    interim = orjson.dumps({"call_id": "c1", "is_final": False, "text": "canary"})
    unreadable: list[UnreadableLine] = []

    calls = read_calls(
        [line("c1", 1), b"canary", line("c2", 0), b"", interim, line("c1", 0)], Limits(), unreadable.append
    )

    assert [(call.call_id, [one.sequence for one in call.segments]) for call in calls] == [
        ("c1", [0, 1]),
        ("c2", [0]),
    ]
    assert [line.fields["sequence"] for line in calls[0].lines] == [1, 0]
    assert [(one.number, one.kind) for one in unreadable] == [(2, "not_json")]
    assert "canary" not in repr(unreadable) + repr(calls)
