"""A call's state as a whole: bounded, of one version, refused without a word of it when it cannot be read."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.monitor import Monitor
from service.monitor_settings import CallSettings, MonitorSettings
from service.observation import MovableCalls, StateUnreadable
from service.state.snapshot import FORM_VERSION, write_snapshot
from streams.messages import CallEnded, Segment
from tests.service.state.busy_call import busy_call, segments
from tests.service.state.replicas import by_way_of_json, replica

STATE = by_way_of_json(write_snapshot(busy_call()))
SEGMENT = segments()[0]
MEBIBYTE = 1024 * 1024


def follow(monitor: Monitor, *call_ids: str, now: float = 0.0) -> None:
    for call_id in call_ids:
        monitor.observe([replace(SEGMENT, call_id=call_id)], now)


def state_of(monitor: Monitor, call_id: str) -> dict[str, Any]:
    return by_way_of_json(monitor.snapshots([call_id])[call_id])


def test_only_calls_that_are_open_have_a_state() -> None:
    monitor = replica()
    movable: MovableCalls = monitor
    follow(monitor, "open", "over")
    monitor.observe([CallEnded(call_id="over")], 0.0)

    assert list(movable.snapshots(["unheard", "open", "over"])) == ["open"]


def test_a_state_that_was_given_out_stays_as_it_is_when_the_call_goes_on() -> None:
    monitor = replica()
    heard = segments()
    monitor.observe(heard[:50], 0.0)
    given = monitor.snapshots(["busy"])["busy"]
    before = orjson.dumps(given)

    monitor.observe(heard[50:], 0.0)

    assert orjson.dumps(given) == before != orjson.dumps(monitor.snapshots(["busy"])["busy"])


def test_it_is_plain_json() -> None:
    assert json.loads(json.dumps(STATE)) == STATE
    assert STATE["version"] == FORM_VERSION


def test_what_was_known_of_the_call_is_replaced() -> None:
    monitor, other = replica(), replica()
    follow(other, "busy")
    other.observe([CallEnded(call_id="busy")], 0.0)
    monitor.observe(segments(), 0.0)

    other.restore("busy", state_of(monitor, "busy"), 0.0)

    assert other.finish().summaries == monitor.finish().summaries


@pytest.mark.parametrize("version", [FORM_VERSION + 1, None, str(FORM_VERSION)])
def test_another_version_is_refused(version: object) -> None:
    monitor = replica()

    with pytest.raises(StateUnreadable, match="version"):
        monitor.restore("busy", {**STATE, "version": version}, 0.0)
    assert monitor.open_calls == 0


def _without(*path: str) -> Callable[[dict[str, Any]], None]:
    def change(state: dict[str, Any]) -> None:
        for name in path[:-1]:
            state = state[name]
        del state[path[-1]]

    return change


def _with(value: object, *path: str | int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        for name in path[:-1]:
            state = state[name]
        state[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _without("call"),
        *(_without("call", name) for name in STATE["call"]),
        *(_without("tally", name) for name in STATE["tally"]),
        _with("xylocanary", "call", "positions"),
        _with("xylocanary xylocanary", "call", "history", "lines", 0, 2),
        _with("xylocanary", "call", "history", "lines", 0, 1),
        _with([["xylocanary"]], "call", "ledger", "assertions"),
        _with({"xylocanary": []}, "call", "paces"),
        _with([["xylocanary", "xylocanary", 1]], "call", "recent_flags"),
        _with("xylocanary", "call", "contents", "rows"),
        _with("xylocanary", "tally", "recent", "rows"),
    ],
)
def test_what_is_no_state_is_refused_and_nothing_of_it_told(change: Callable[[dict[str, Any]], None]) -> None:
    state = by_way_of_json(STATE)
    change(state)
    monitor = replica()
    follow(monitor, "busy")

    with pytest.raises(StateUnreadable) as refused:
        monitor.restore("busy", state, 0.0)
    assert monitor.open_calls == 0
    assert "xylocanary" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_a_call_whose_state_was_refused_begins_anew() -> None:
    monitor = replica()
    with pytest.raises(StateUnreadable):
        monitor.restore("busy", {}, 0.0)

    assert monitor.observe(segments(), 0.0) == replica().observe(segments(), 0.0)


def test_silence_counts_from_when_the_call_was_last_heard() -> None:
    monitor = replica()
    monitor.restore("busy", STATE, last_heard=10.0)

    assert monitor.silent(69.0).summaries == ()
    assert [summary.ended_by for summary in monitor.silent(71.0).summaries] == ["silence"]


def test_beyond_the_bound_of_open_calls_the_quietest_goes_first_however_they_were_restored() -> None:
    monitor = replica()
    for call_id, last_heard in (("a", 3.0), ("b", 1.0), ("c", 2.0)):
        monitor.restore(call_id, STATE, last_heard)

    follow_up = monitor.observe([replace(SEGMENT, call_id="d")], 4.0)

    assert [summary.call_id for summary in follow_up.summaries] == ["b"]


def test_narrower_settings_remember_the_end_of_what_was_said() -> None:
    narrow = MonitorSettings(call=CallSettings(history_lines=8, remembered_sequences=16))
    monitor = replica(narrow)
    monitor.restore("busy", STATE, 0.0)
    monitor.observe([replace(SEGMENT, call_id="busy", sequence=5000)], 0.0)

    state = state_of(monitor, "busy")
    assert len(state["call"]["history"]["lines"]) == 8
    assert sum(length for _, length in state["call"]["contents"]["runs"]) == 16


def test_the_state_of_an_hour_is_small() -> None:
    monitor = replica()
    said = segments()
    for sequence in range(1000):
        monitor.observe([replace(said[sequence % 100], sequence=sequence)], 0.0)

    assert len(orjson.dumps(monitor.snapshots(["busy"])["busy"])) < 64 * 1024


def test_whatever_is_said_the_state_fits_a_record() -> None:
    """Words as long as a text may be, in letters that take four bytes each, in no order, beyond every bound."""
    monitor = replica()
    plain = [_said(sequence * 7919 % 5501, "no fever, 5 mg, left knee") for sequence in range(5440)]
    monitor.listen(plain, 0.0)
    long_words, many_words = "\U00010400" * 10_000, "um " * 900
    for sequence in range(6000, 6060):
        monitor.observe([_said(sequence, (long_words, many_words)[sequence % 2])], 0.0)

    assert len(orjson.dumps(monitor.snapshots(["busy"])["busy"])) < MEBIBYTE // 2


def _said(sequence: int, text: str) -> Segment:
    return replace(SEGMENT, sequence=sequence, speaker="patient", text=text)
