"""The soak in its short form, and how its figures come about."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks.caller_load import Traced
from benchmarks.faults.replica import Replica
from benchmarks.soak import Plan, Sample, Soaked, measured_capacity, soak, soak_settings
from benchmarks.trend import trend
from service.settings import load_settings
from tests.kafka import kafka_address, own_kafka

__all__ = ["kafka_address", "own_kafka"]

STEP = {
    "seconds": 60.0,
    "segments": 100,
    "lost": 0,
    "latency_seconds": {"p50": 0.1, "p90": 0.1, "p99": 0.2, "max": 0.3},
    "within_limit": 0.995,
    "most_under_way": 1,
    "service_cores": 1.0,
    "cpu_ms_per_segment": 10.0,
    "calls_per_core": 1.0,
    "resident_mb": 600.0,
    "polls_per_second": 2.0,
    "stage_ms": {},
}


def test_a_straight_line_has_its_slope_and_no_error() -> None:
    found = trend([0.0, 60.0, 120.0, 180.0], [100.0, 101.0, 102.0, 103.0])
    assert found.per_hour == pytest.approx(60.0)
    assert found.standard_error == pytest.approx(0.0, abs=1e-9)
    assert (found.first, found.last) == (100.0, 103.0)


def test_the_error_of_a_slope_is_that_of_least_squares() -> None:
    # The line is 1.2, 1.4, 1.6, 1.8: squared residuals come to 0.8, squared times to 5, with two degrees of freedom.
    found = trend([0.0, 3600.0, 7200.0, 10800.0], [1.0, 2.0, 1.0, 2.0])
    assert found.per_hour == pytest.approx(0.2)
    assert found.standard_error == pytest.approx((0.8 / 2 / 5) ** 0.5)


@pytest.mark.parametrize(("times", "values"), [([0.0, 1.0], [1.0, 2.0]), ([5.0] * 3, [1.0, 2.0, 3.0])])
def test_no_trend_where_there_is_none_to_be_told(times: list[float], values: list[float]) -> None:
    with pytest.raises(ValueError, match="a trend"):
        trend(times, values)


def test_the_capacity_is_the_most_that_was_borne(tmp_path: Path) -> None:
    slow = STEP | {"latency_seconds": {"p99": 0.4}}
    rows = [STEP | {"calls": 30}, STEP | {"calls": 40}, slow | {"calls": 60}]
    result = tmp_path / "live_load.json"
    result.write_text(json.dumps({"results": rows}))
    assert measured_capacity(result) == 40
    result.write_text(json.dumps({"results": rows[2:]}))
    with pytest.raises(ValueError, match="empty"):
        measured_capacity(result)


def test_memory_counts_from_the_end_of_the_warm_up_and_latency_by_the_minute() -> None:
    traced = [Traced(1000.0, 1000.1), Traced(1059.0, 1059.3), Traced(1061.0, 1061.2), Traced(1119.0)]
    soaked = Soaked(
        plan=Plan(calls=2, pace=0.5, seconds=120.0, warm_up_seconds=40.0),
        followed_calls=2,
        sent=10,
        assessed=9,
        repeated=1,
        ended=3,
        summaries=3,
        summaries_repeated=0,
        rebalances=0,
        cores=0.5,
        began=1000.0,
        traced=traced,
        samples=[Sample(20.0 * number, 100.0 if number < 2 else 200.0) for number in range(6)],
    )
    whole, first, second = soaked.rows()
    assert whole["segments"] == {"sent": 10, "assessed": 9, "repeated": 1, "lost": 1}
    assert whole["resident_mb"] == {"per_hour": 0.0, "standard_error": 0.0, "first": 200.0, "last": 200.0}
    assert (whole["latency_seconds"]["max"], whole["cpu_ms_per_segment"]) == (0.3, 15_000.0)
    assert (first["minute"], first["segments"], first["latency_seconds"]["p99"]) == (1, 2, 0.3)
    assert (second["minute"], second["segments"], second["latency_seconds"]["p99"]) == (2, 2, 0.2)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.usefixtures("built_models")
async def test_nothing_is_lost_while_calls_come_and_go(kafka_address: str, tmp_path: Path) -> None:
    settings = soak_settings(load_settings(), kafka_address)
    # Hurried, so that calls end in this short time.
    plan = Plan(calls=20, pace=25.0, seconds=12.0, warm_up_seconds=4.0, sample_seconds=1.0)
    soaked = await soak(settings, plan, Replica(settings, tmp_path / "soak.log"))
    assert (soaked.lost, soaked.repeated, soaked.rebalances) == (0, 0, 0)
    assert soaked.ended > 0
    assert (soaked.summaries, soaked.summaries_repeated) == (soaked.ended, 0)
    assert soaked.followed_calls > 0
    assert len(soaked.samples) == 12
    assert soaked.memory.last > 0.0
    assert soaked.cores > 0.0
    whole, *minutes = soaked.rows()
    assert whole["segments"]["sent"] > len(soaked.traced) > 0
    assert [row["minute"] for row in minutes] == [1]
