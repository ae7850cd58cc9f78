"""Recognisers' units of time."""

import pytest

from streams.adapters.times import MAX_SECONDS, duration, instant, required_instant
from streams.fields import Limits, MalformedRecord


@pytest.mark.parametrize(
    ("written", "seconds"), [("1.200s", 1.2), ("0s", 0.0), ("75s", 75.0), ("3.000000001s", 3.000000001)]
)
def test_a_protocol_buffers_duration_is_read(written: str, seconds: float) -> None:
    assert duration({"at": written}, "at", Limits()) == seconds


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("1.2", "wrong_type"),
        ("s", "wrong_type"),
        ("1e3s", "wrong_type"),
        ("-1s", "negative_time"),
        ("99999999s", "time_too_large"),
    ],
)
def test_what_is_no_duration_is_refused(written: str, kind: str) -> None:
    with pytest.raises(MalformedRecord) as caught:
        duration({"at": written}, "at", Limits(), "results[0].")
    assert (caught.value.kind, caught.value.place) == (kind, "results[0].at")


def test_units_become_seconds() -> None:
    assert instant({"at": 18_600_000}, "at", per_second=10_000_000) == 1.86
    assert instant({"at": 1920}, "at", per_second=1000) == 1.92
    assert instant({}, "at") is None


def test_a_time_beyond_any_call_is_refused() -> None:
    assert instant({"at": MAX_SECONDS}, "at") == MAX_SECONDS
    with pytest.raises(MalformedRecord, match="time_too_large at at"):
        instant({"at": MAX_SECONDS * 1.01}, "at")


def test_a_required_time_is_there_and_not_null() -> None:
    with pytest.raises(MalformedRecord, match="missing_field at at"):
        required_instant({}, "at")
    with pytest.raises(MalformedRecord, match="wrong_type at at"):
        required_instant({"at": None}, "at")
