"""The fault suite in its short form, and how it judges."""

import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from aiokafka import ConsumerRecord

from benchmarks.apache_kafka.broker import ApacheKafka
from benchmarks.faults.cases import CASES
from benchmarks.faults.cases.mutated import mutated
from benchmarks.faults.outcome import Expected, Outcome, judge
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls, encoded
from streams.broker import Record
from streams.decoding import Limits, decode
from streams.fields import MalformedRecord
from streams.messages import CallEnded, Segment
from tests.kafka import own_kafka

__all__ = ["own_kafka"]

EXPECTED = Expected({"a0": (0.5, frozenset({"f1"})), "a1": (0.25, frozenset())}, {"s": 2})
FIRST = {"id": "a0", "call_id": "a", "sequence": 0, "risk": 0.5, "flags": [{"id": "f1"}]}
SECOND = {"id": "a1", "call_id": "a", "sequence": 1, "risk": 0.25, "flags": []}
SUMMARY = {"id": "s", "segments": 2}


def record(fields: dict[str, Any], at: float = 0.0, partition: int = 0) -> Record:
    return ConsumerRecord("t", partition, 0, round(at * 1000), 0, b"a", orjson.dumps(fields), None, 0, 0, ())


def judged(
    *assessments: dict[str, Any], summary: dict[str, Any] = SUMMARY, delivery: str = "exactly_once"
) -> Outcome:
    return judge("case", delivery, EXPECTED, [record(fields) for fields in assessments], [record(summary)])


def test_what_is_as_in_a_quiet_run_passes() -> None:
    outcome = judged(FIRST, SECOND)
    assert (outcome.sent, outcome.assessed, outcome.lost, outcome.different) == (2, 2, 0, 0)
    assert outcome.passed


def test_a_segment_without_an_assessment_is_lost() -> None:
    assert judged(FIRST).lost == 1
    assert not judged(FIRST).passed


def test_a_call_without_a_summary_is_lost() -> None:
    assert judged(FIRST, SECOND, summary=SUMMARY | {"id": "other"}).lost == 1


def test_the_last_record_of_an_id_counts_and_repeats_are_a_matter_of_delivery() -> None:
    wrong_first = (FIRST | {"risk": 0.9}, FIRST, SECOND)
    assert judged(*wrong_first).repeated == 1
    assert not judged(*wrong_first).passed
    assert judged(*wrong_first, delivery="at_least_once").passed


@pytest.mark.parametrize(
    "change", [{"risk": 0.51}, {"flags": []}, {"flags": [{"id": "f1"}, {"id": "f2"}]}], ids=str
)
def test_another_risk_or_other_flags_are_different(change: dict[str, Any]) -> None:
    assert judged(FIRST | change, SECOND).different == 1


def test_a_summary_over_fewer_segments_is_different() -> None:
    assert judged(FIRST, SECOND, summary=SUMMARY | {"segments": 1}).different == 1


def test_a_segment_that_a_reader_sees_under_two_ids_came_twice() -> None:
    outcome = judged(FIRST, SECOND, SECOND | {"id": "another"}, delivery="at_least_once")
    assert outcome.twice == 1
    assert not outcome.passed


def test_recovery_is_counted_until_every_partition_goes_on() -> None:
    records = [
        record(FIRST, at=10.0),
        record(SECOND, at=13.5),
        record(FIRST, at=12.0, partition=1),
        record(SECOND, at=19.0, partition=1),
        record(FIRST, at=10.5, partition=2),
    ]
    outcome = judge("case", "exactly_once", EXPECTED, records, [], [11.0, 13.0, 20.0])
    assert outcome.recovery_seconds == (2.5, 6.0)


def test_calls_are_live_together_and_each_ends() -> None:
    messages = calls(4, 3)
    segments = [message for message in messages if isinstance(message, Segment)]
    ends = messages[len(segments) :]
    assert [segment.call_id for segment in segments[:4]] == [end.call_id for end in ends]
    assert all(isinstance(end, CallEnded) for end in ends)
    assert [decode(encoded(message)[1], Limits())[0] for message in messages] == messages


def test_mutated_payloads_are_of_all_kinds_and_never_of_a_good_call() -> None:
    chance = random.Random(3)
    good = encoded(calls(1, 1)[0])[1]
    read = refused = 0
    for _ in range(500):
        try:
            message, _ = decode(mutated(good, chance), Limits())
        except MalformedRecord:
            refused += 1
        else:
            read += 1
            assert not isinstance(message, Segment) or message.call_id != calls(1, 1)[0].call_id
    assert refused > read > 0


SHORT = [
    *((case, "at_least_once") for case in CASES if case != "real-models"),
    *((case, "exactly_once") for case in ("killed-mid-batch", "scaled", "broker-killed")),
]


@pytest.mark.usefixtures("built_models")
@pytest.mark.parametrize(("case", "delivery"), SHORT)
async def test_nothing_is_lost(own_kafka: ApacheKafka, case: str, delivery: str, tmp_path: Path) -> None:
    stage = Stage(own_kafka, case, delivery, tmp_path, short=True)
    await stage.prepare()
    outcome = await CASES[case](stage)
    assert outcome.passed, outcome.line()
