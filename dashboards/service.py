"""Whether the service does its work in time: objectives, Kafka, models, memory. For whoever runs it."""

from typing import Final

from grafana_foundation_sdk.models.common import StackingMode

from dashboards.panels import (
    DashboardPlan,
    Query,
    Section,
    mean,
    number,
    of,
    quantiles,
    rate,
    series,
)

_RECEIPT: Final = "auscult_receipt_to_assessment_seconds"
_IN_TIME: Final = 'le="5.0"'
"""The freshness objective's budget, a bound of the histogram; the rules name it too."""


def _increase(metric: str, *matchers: str) -> str:
    return f"sum(increase({of(metric, *matchers)}[$__range]))"


_OBJECTIVES: Final = (
    number(
        "Assessed whole, of all in the time shown",
        "Objective: 99.9% of segments are assessed with every signal that can be measured. Against it count segments"
        " that a failure left without a signal, and records that could not be read.",
        "percentunit",
        Query(
            f"1 - ({_increase('auscult_degraded_segments_total')} + {_increase('auscult_dead_letters_total')}) / "
            f"({_increase('auscult_segments_total')} + {_increase('auscult_dead_letters_total')})"
        ),
        link="signal_health",
    ),
    number(
        "Assessed within 5 s, of all in the time shown",
        "Objective: 99% of segments are assessed, and that is acknowledged by Kafka, within 5 s of being received.",
        "percentunit",
        Query(f"{_increase(f'{_RECEIPT}_bucket', _IN_TIME)} / {_increase(f'{_RECEIPT}_count')}"),
        link="signal_health",
    ),
    series(
        "Not assessed whole: how fast the budget burns",
        "Share of segments over the 0.1% that the objective leaves: 1 uses the budget up in its 30 days. Alerts at 14.4"
        " in an hour, 6 in six hours, 1 in three days.",
        "none",
        *(
            Query(
                f'sum by (job) (job:auscult_segments_missed:ratio_rate{window}{{job=~"$job"}}) / 0.001',
                f"{window} {{{{job}}}}",
            )
            for window in ("1h", "6h", "3d")
        ),
        link="signal_health",
    ),
    series(
        "Late: how fast the budget burns",
        "Share of segments over the 1% that the objective leaves: 1 uses the budget up in its 30 days. Alerts at 14.4"
        " in an hour, 6 in six hours, 1 in three days.",
        "none",
        *(
            Query(
                f'sum by (job) (job:auscult_segments_late:ratio_rate{window}{{job=~"$job"}}) / 0.01',
                f"{window} {{{{job}}}}",
            )
            for window in ("1h", "6h", "3d")
        ),
        link="signal_health",
    ),
)

_WORK: Final = (
    series(
        "Segments assessed",
        "By replica.",
        "cps",
        Query(f"sum by (instance) ({rate('auscult_segments_total')})", "{{instance}}"),
        link="clinical_safety",
        stacked=StackingMode.NORMAL,
    ),
    series(
        "From receipt to assessment",
        "From the time a segment was received, or its record was written, until its assessment is acknowledged.",
        "s",
        *quantiles(_RECEIPT),
        link="signal_health",
    ),
    series(
        "Time of a poll by stage",
        "read: records to segments; observe: signals, models and risk; publish: what came of it; commit: offsets.",
        "s",
        *quantiles("auscult_poll_stage_seconds", by="stage", legend="{{stage}}"),
        link="signal_health",
    ),
    series(
        "Records of a poll",
        "A poll is a batch: when work piles up polls grow and each segment costs less. At the bound,"
        " kafka.batch.records, for long: more replicas are needed.",
        "short",
        *quantiles("auscult_poll_records"),
        link="signal_health",
    ),
)

_KAFKA: Final = (
    series(
        "Lag",
        "Records between what was written and what was processed, by topic.",
        "short",
        Query(f"sum by (topic) ({of('auscult_consumer_lag_records')})", "{{topic}}"),
        Query(f"max by (topic) ({of('auscult_consumer_lag_records')})", "{{topic}}, worst partition"),
        link="clinical_safety",
    ),
    series(
        "Age of the newest processed record",
        "How far behind the service is in time, by topic. It rises too when nobody speaks: look at the lag.",
        "s",
        Query(
            f"time() - max by (topic) ({of('auscult_newest_event_timestamp_seconds')})",
            "{{topic}}, newest partition",
        ),
        Query(
            f"time() - min by (topic) ({of('auscult_newest_event_timestamp_seconds')})",
            "{{topic}}, oldest partition",
        ),
        link="clinical_safety",
    ),
    series(
        "Since the consumer last asked for records",
        "Liveness fails at http.stalled_seconds, unless Kafka is being waited for.",
        "s",
        Query(f"time() - {of('auscult_last_poll_timestamp_seconds')}", "{{instance}}"),
        link="signal_health",
    ),
    series(
        "Partitions by replica",
        "Evenly spread, and as many in all as the topics have.",
        "none",
        Query(f"sum by (instance) ({of('auscult_assigned_partitions')})", "{{instance}}"),
        link="signal_health",
        stacked=StackingMode.NORMAL,
    ),
    series(
        "Dead letters by kind",
        "Records that could not be read; `auscult dead-letters` shows them and sends them back.",
        "cps",
        Query(f"sum by (kind) ({rate('auscult_dead_letters_total')})", "{{kind}}"),
        link="signal_health",
        stacked=StackingMode.NORMAL,
    ),
    series(
        "Records that say nothing, by reason",
        "Interim results, null values, silence, and news of the recogniser's session.",
        "cps",
        Query(f"sum by (reason) ({rate('auscult_ignored_records_total')})", "{{reason}}"),
        link="signal_health",
    ),
    series(
        "What Kafka did not do at once",
        "Tries that were repeated, offset commits that failed, and polls that were given up and read again.",
        "cps",
        Query(f"sum by (what) ({rate('auscult_kafka_retries_total')})", "retried: {{what}}"),
        Query(f"sum({rate('auscult_commit_failures_total')})", "commits failed"),
        Query(f"sum({rate('auscult_polls_dropped_total')})", "polls given up"),
        link="signal_health",
    ),
    series(
        "Records read again",
        "Their outcome was out already: after a rebalance or a restart. Nothing is counted or published twice.",
        "cps",
        Query(f"sum by (instance) ({rate('auscult_redelivered_records_total')})", "{{instance}}"),
        link="signal_health",
    ),
)

_CALL_STATES: Final = (
    series(
        "Calls that went on from their state",
        "Taken over from another replica mid-call.",
        "cps",
        Query(f"sum by (instance) ({rate('auscult_call_states_restored_total')})", "{{instance}}"),
        link="clinical_safety",
    ),
    series(
        "States that were of no use",
        "Unreadable, too large, or set back; and partitions whose states had been deleted. Calls began anew.",
        "cps",
        Query(f"sum by (reason) ({rate('auscult_call_states_unusable_total')})", "{{reason}}"),
        Query(f"sum({rate('auscult_call_states_lost_total')})", "deleted"),
        link="clinical_safety",
    ),
    series(
        "Size of a call's state",
        "As it is written to Kafka. At the largest message that the brokers take, states are not written any more.",
        "bytes",
        *quantiles("auscult_call_state_bytes"),
        link="clinical_safety",
    ),
)

_MODELS: Final = (
    series(
        "Tokens",
        "That models have run, padding not counted, a second.",
        "cps",
        Query(f"sum by (model) ({rate('auscult_model_tokens_total')})", "{{model}}"),
        link="signal_health",
    ),
    series(
        "Seconds of model runs in a second",
        "How busy models keep the replicas: the sum over replicas and stages.",
        "none",
        Query(f"sum by (model, stage) ({rate('auscult_model_batch_seconds_sum')})", "{{model}} {{stage}}"),
        link="signal_health",
        stacked=StackingMode.NORMAL,
    ),
    series(
        "Time of a model's batch",
        "By model and stage.",
        "s",
        *quantiles("auscult_model_batch_seconds", by="model, stage", legend="{{model}} {{stage}}"),
        link="signal_health",
    ),
    series(
        "Texts of a model's batch",
        "The mean. Larger batches cost less a text.",
        "short",
        Query(mean("auscult_model_batch_items", by="model, stage"), "{{model}} {{stage}}"),
        link="signal_health",
    ),
    series(
        "Language model: what its cache spares",
        "Of the tokens asked of it: reused from the cache, computed, or computed as padding.",
        "percentunit",
        Query(f"sum by (use) ({rate('auscult_model_cache_tokens_total')})", "{{use}}"),
        link="signal_health",
        stacked=StackingMode.PERCENT,
    ),
    series(
        "Language model: texts from memory, calls that made room",
        "Texts answered without a run; and live calls whose context made room for another's: more are live than fit"
        " models.cached_tokens.",
        "cps",
        Query(
            f"sum by (model) ({rate('auscult_model_cache_remembered_texts_total')})", "{{model}} from memory"
        ),
        Query(f"sum by (model) ({rate('auscult_model_cache_evictions_total')})", "{{model}} made room"),
        link="signal_health",
    ),
    series(
        "Language model: tokens of live calls in its cache",
        "By replica; bounded by models.cached_tokens.",
        "short",
        Query(f"sum by (instance, model) ({of('auscult_model_cached_tokens')})", "{{instance}} {{model}}"),
        link="signal_health",
    ),
    series(
        "Error of a model on its own text",
        "Mean absolute error in nats when it was opened, by the products it runs with: below 0.2, or it would not have"
        " been opened. exact: this processor has no fast products that are right.",
        "none",
        Query(
            f"max by (model, products) ({of('auscult_model_self_test_error_nats')})", "{{model}} {{products}}"
        ),
        link="signal_health",
    ),
    series(
        "Replicas by execution provider",
        "What really runs each model. More than one for a purpose: a replica fell back to its CPU.",
        "none",
        Query(
            f"sum by (purpose, model, provider) ({of('auscult_model_info')})",
            "{{purpose}} {{model}} on {{provider}}",
        ),
        link="signal_health",
    ),
)

_PROCESS: Final = (
    series(
        "Memory",
        "Resident, by replica.",
        "bytes",
        Query(f"sum by (instance) ({of('process_resident_memory_bytes')})", "{{instance}}"),
        link="signal_health",
    ),
    series(
        "Processors",
        "Cores in use, by replica.",
        "none",
        Query(f"sum by (instance) ({rate('process_cpu_seconds_total')})", "{{instance}}"),
        link="signal_health",
    ),
    series(
        "Versions",
        "Replicas of each build.",
        "none",
        Query(f"sum by (version, python) ({of('auscult_build_info')})", "{{version}} on Python {{python}}"),
        link="signal_health",
    ),
)

SERVICE: Final = DashboardPlan(
    name="service",
    title="Auscult: service",
    description="Objectives, throughput and latency, Kafka, call states, models, and the process.",
    sections=(
        Section("Objectives", _OBJECTIVES, across=4),
        Section("Work", _WORK),
        Section("Kafka", _KAFKA),
        Section("States of calls", _CALL_STATES, across=3),
        Section("Models", _MODELS, across=3),
        Section("Process", _PROCESS, across=3),
    ),
)
