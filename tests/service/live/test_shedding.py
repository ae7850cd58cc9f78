"""What is left out while polls are late, and when that begins and ends."""

from typing import get_args

import pytest
from aiokafka import ConsumerRecord

from service.composition import build_signals
from service.live.shedding import Shedding, SheddingPolicy, seconds_behind
from service.monitor_settings import MonitorSettings
from service.settings import SheddableSignal
from streams.broker import Record
from tests.service.moments import LEXICON

DRIFT = frozenset({"embedding_drift"})
NONE: frozenset[str] = frozenset()


def record(partition: int, written: float, topic: str = "t") -> Record:
    return ConsumerRecord(topic, partition, 0, round(written * 1000), 0, b"c1", b"", None, 0, 0, ())


def test_it_begins_and_ends_at_different_ages() -> None:
    shedding = Shedding(SheddingPolicy(DRIFT, from_seconds=30.0, until_seconds=5.0))
    followed = [
        (shedding.signals(behind), shedding.active) for behind in (0.0, 29.0, 30.0, 29.0, 5.0, 4.9, 29.0)
    ]
    assert followed == [
        (NONE, False),
        (NONE, False),
        (DRIFT, True),
        (DRIFT, True),
        (DRIFT, True),
        (NONE, False),
        (NONE, False),
    ]


def test_without_signals_nothing_is_ever_left_out() -> None:
    shedding = Shedding(SheddingPolicy(NONE, from_seconds=30.0, until_seconds=5.0))
    assert (shedding.signals(1e9), shedding.active) == (NONE, False)


@pytest.mark.parametrize(
    ("records", "behind"),
    [
        ([], 0.0),
        ([record(0, 40.0), record(0, 90.0)], 10.0),
        ([record(0, 90.0), record(1, 60.0)], 40.0),
        ([record(0, 90.0), record(0, 60.0, topic="of a recogniser")], 40.0),
    ],
    ids=["nothing read", "the newest of a partition", "the latest partition", "of each topic"],
)
def test_what_is_late_is_a_partition(records: list[Record], behind: float) -> None:
    assert seconds_behind(records, now=100.0) == behind


def test_what_may_be_left_out_are_signals() -> None:
    signals = build_signals(MonitorSettings(), LEXICON, contradiction_available=True)
    assert set(get_args(SheddableSignal)) < {signal.name for signal in signals}
