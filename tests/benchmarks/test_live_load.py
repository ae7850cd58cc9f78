import asyncio
from dataclasses import replace

import pytest

from benchmarks.live_load import Step, largest, live_settings
from benchmarks.service_counts import WithinLimit, failed_signals, stage_seconds, within_limit
from service.settings import Settings

BORNE = Step(
    calls=1,
    seconds=60.0,
    segments=100,
    lost=0,
    latency_seconds={"p50": 0.1, "p90": 0.1, "p99": 0.2, "max": 0.3},
    within_limit=0.995,
    most_under_way=1,
    service_cores=1.0,
    cpu_ms_per_segment=10.0,
    calls_per_core=1.0,
    resident_mb=600.0,
    polls_per_second=2.0,
    stage_ms={},
)
TOO_SLOW = replace(BORNE, latency_seconds={**BORNE.latency_seconds, "p99": 0.25})


@pytest.mark.parametrize("most", [1, 37, 100, 259])
def test_the_search_comes_within_its_tolerance_of_the_most_calls(most: int) -> None:
    async def measure(calls: int) -> Step:
        return replace(BORNE if calls <= most else TOO_SLOW, calls=calls)

    steps = asyncio.run(largest(measure, start=100, tolerance=0.05))
    found = max(step.calls for step in steps if step.bearable)
    assert found <= most <= found * 1.05 + 1
    assert len(steps) < 16


def test_a_search_ends_where_not_even_one_call_is_borne() -> None:
    async def measure(calls: int) -> Step:
        return replace(TOO_SLOW, calls=calls)

    assert asyncio.run(largest(measure, start=8))[-1].calls == 1


def test_lost_segments_and_late_acknowledgements_are_not_borne() -> None:
    assert BORNE.bearable
    assert not TOO_SLOW.bearable
    assert not replace(BORNE, lost=1).bearable
    assert not replace(BORNE, within_limit=0.98).bearable


METRICS = """
# TYPE auscult_receipt_to_assessment_seconds histogram
auscult_receipt_to_assessment_seconds_bucket{le="0.1"} 2.0
auscult_receipt_to_assessment_seconds_bucket{le="0.25"} 8.0
auscult_receipt_to_assessment_seconds_bucket{le="+Inf"} 10.0
auscult_receipt_to_assessment_seconds_count 10.0
auscult_receipt_to_assessment_seconds_sum 2.5
# TYPE auscult_signals_absent_total counter
auscult_signals_absent_total{reason="too_short",signal="perplexity"} 4.0
auscult_signals_absent_total{reason="failed",signal="perplexity"} 3.0
# TYPE auscult_poll_stage_seconds histogram
auscult_poll_stage_seconds_bucket{le="+Inf",stage="observe"} 5.0
auscult_poll_stage_seconds_count{stage="observe"} 5.0
auscult_poll_stage_seconds_sum{stage="observe"} 1.5
# TYPE auscult_poll_records histogram
auscult_poll_records_bucket{le="+Inf"} 6.0
auscult_poll_records_count 6.0
auscult_poll_records_sum 10.0
"""


def test_the_services_own_count_is_read() -> None:
    counted = within_limit(METRICS, 0.25)
    assert counted.share == 0.8
    assert counted.since(WithinLimit(2.0, 2.0)) == WithinLimit(6.0, 8.0)
    assert failed_signals(METRICS) == 3.0
    assert stage_seconds(METRICS) == {"observe": 1.5, "polls": 6.0}


def test_a_limit_that_the_service_does_not_count_is_refused() -> None:
    with pytest.raises(ValueError, match=r"within 0.2 s"):
        within_limit(METRICS, 0.2)


def test_the_measured_service_keeps_your_poll_and_has_topics_of_its_own() -> None:
    own = Settings(kafka={"batch": {"records": 7}})
    one, other = (live_settings(own, "broker:9092", idempotence=False) for _ in range(2))
    assert one.kafka.batch.records == 7
    assert one.kafka.bootstrap_servers == ("broker:9092",)
    assert one.kafka.topics.names().segments != other.kafka.topics.names().segments
    assert one.kafka.group != own.kafka.group
