"""Metrics: names, zero series from the start, and labels that cannot be flooded or name a call."""

from dataclasses import replace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from service.metrics import AllowedLabels, Metrics
from service.observation import Observation
from streams.messages import Assessment, Flag, Recogniser, Segment, SignalReading

LABELS = AllowedLabels(
    tenant=frozenset({"north"}), asr_provider=frozenset({"acme"}), asr_model=frozenset({"m-1"})
)
CANARY = "xylocanary"


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(CollectorRegistry(), LABELS)


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def assessment(**segment: Any) -> Assessment:
    fields: dict[str, Any] = {"call_id": CANARY, "sequence": 0, "speaker": "patient", "text": CANARY}
    return Assessment(
        id="a",
        segment=Segment(**fields | segment),
        late=False,
        revision=False,
        risk=0.25,
        quality=None,
        quality_recommendation=None,
        signals={
            "perplexity": SignalReading(20.0, 0.75),
            "drift": SignalReading(None, None, absent="too_short"),
        },
        flags=(
            Flag(
                id="f",
                call_id=CANARY,
                sequence=0,
                type="contradiction",
                severity="high",
                span=None,
                reason="r",
                explanation=CANARY,
            ),
        ),
    )


KNOWN = {"tenant": "north", "asr_provider": "acme", "asr_model": "m-1", "speaker": "patient"}


def test_known_series_are_zero_before_anything_happens(metrics: Metrics) -> None:
    assert value(metrics, "auscult_segments_total", **KNOWN) == 0
    assert value(metrics, "auscult_segments_total", **KNOWN | {"tenant": "other", "speaker": "agent"}) == 0
    assert value(metrics, "auscult_dead_letters_total", kind="not_json") == 0
    assert value(metrics, "auscult_oddities_total", kind="repeated") == 0
    assert value(metrics, "auscult_oddities_total", kind="unlisted_speaker") == 0
    assert value(metrics, "auscult_ignored_records_total", reason="tombstone") == 0
    assert value(metrics, "auscult_call_summaries_total", recommendation="REJECT", ended_by="silence") == 0
    assert value(metrics, "auscult_commit_failures_total") == 0


def test_an_assessment_is_counted_under_its_origin(metrics: Metrics) -> None:
    known = assessment(tenant="north", asr=Recogniser("acme", "m-1"))
    metrics.record(Observation(assessments=(known,), oddities={"late": 2}))
    assert value(metrics, "auscult_segments_total", **KNOWN) == 1
    assert value(metrics, "auscult_segment_risk_sum", **KNOWN) == 0.25
    assert value(metrics, "auscult_signal_score_sum", signal="perplexity", **KNOWN) == 0.75
    assert value(metrics, "auscult_signals_absent_total", signal="drift", reason="too_short") == 1
    assert value(metrics, "auscult_flags_total", type="contradiction", severity="high", **KNOWN) == 1
    assert value(metrics, "auscult_segment_quality_count", **KNOWN) is None
    assert value(metrics, "auscult_oddities_total", kind="late") == 2


def test_unlisted_labels_are_other_and_no_text_is_exported(metrics: Metrics) -> None:
    unlisted = assessment(tenant=CANARY, asr=Recogniser(CANARY, CANARY))
    metrics.record(Observation(assessments=(unlisted,)))
    other = {"tenant": "other", "asr_provider": "other", "asr_model": "other", "speaker": "patient"}
    assert value(metrics, "auscult_segments_total", **other) == 1
    assert CANARY not in generate_latest(metrics.registry).decode()


def test_an_origins_flags_are_zero_from_its_first_segment(metrics: Metrics) -> None:
    assert (
        value(metrics, "auscult_flags_total", type="sound_alike_drug", severity="critical", **KNOWN) is None
    )
    metrics.record(Observation(assessments=(assessment(tenant="north", asr=Recogniser("acme", "m-1")),)))
    assert value(metrics, "auscult_flags_total", type="sound_alike_drug", severity="critical", **KNOWN) == 0


def test_a_segment_counts_as_degraded_once_however_many_signals_failed(metrics: Metrics) -> None:
    whole = assessment()
    failed = SignalReading(None, None, absent="failed")
    degraded = replace(whole, signals={"perplexity": failed, "confidence": failed})
    metrics.record(Observation(assessments=(whole, degraded)))
    assert value(metrics, "auscult_degraded_segments_total") == 1


def test_calls_that_are_followed_are_told_by_their_worst_flag(metrics: Metrics) -> None:
    assert value(metrics, "auscult_active_calls", worst_flag="critical") == 0
    metrics.calls_followed({"critical": 2, "none": 5})
    metrics.calls_followed({"none": 4})
    assert value(metrics, "auscult_active_calls", worst_flag="critical") == 0
    assert value(metrics, "auscult_active_calls", worst_flag="none") == 4


def test_a_model_run_is_counted(metrics: Metrics) -> None:
    metrics.observed("tiny", "infer", 0.25, 4, 60)
    metrics.observed("tiny", "tokenize", 0.01, 4, 0)
    assert value(metrics, "auscult_model_batch_seconds_sum", model="tiny", stage="infer") == 0.25
    assert value(metrics, "auscult_model_batch_items_sum", model="tiny", stage="infer") == 4
    assert value(metrics, "auscult_model_tokens_total", model="tiny") == 60


def test_the_self_test_of_a_model_is_exported(metrics: Metrics) -> None:
    metrics.self_tested("tiny", "exact", 0.09)
    assert value(metrics, "auscult_model_self_test_error_nats", model="tiny", products="exact") == 0.09


def test_a_revoked_partition_leaves_no_series(metrics: Metrics) -> None:
    metrics.partition_progress("t", 1, 5, 1_700_000_000.0)
    metrics.partition_progress("t", 2, 6, None)
    metrics.partition_gone("t", 1)
    metrics.partition_gone("t", 3)
    assert value(metrics, "auscult_consumer_lag_records", topic="t", partition="1") is None
    assert value(metrics, "auscult_newest_event_timestamp_seconds", topic="t", partition="1") is None
    assert value(metrics, "auscult_consumer_lag_records", topic="t", partition="2") == 6


def test_the_build_and_the_process_are_described(metrics: Metrics) -> None:
    exported = generate_latest(metrics.registry).decode()
    assert "auscult_build_info{" in exported
    assert "process_resident_memory_bytes" in exported
