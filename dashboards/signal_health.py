"""How each signal is spread now and was weeks ago, whether a recogniser drifts, and what cannot be measured."""

from typing import Final

from grafana_foundation_sdk.models.common import StackingMode

from dashboards.panels import (
    DashboardPlan,
    Query,
    Section,
    chosen,
    heat,
    mean,
    of,
    per,
    rate,
    series,
)

_SIGNAL: Final = 'signal="$signal"'
_SCORED: Final = rate("auscult_signal_score_count")
_ABSENT: Final = rate("auscult_signals_absent_total")
_BUCKETS: Final = of("auscult_signal_score_bucket", _SIGNAL)
_SUM: Final = of("auscult_signal_score_sum", _SIGNAL)
_COUNT: Final = of("auscult_signal_score_count", _SIGNAL)


def _then(offset: str) -> str:
    """Mean score of the chosen signal some time ago; `offset` such as `offset 1w`."""
    ranged = f"[$__rate_interval] {offset}".strip()
    return f"sum(rate({_SUM}{ranged})) / sum(rate({_COUNT}{ranged}))"


def _low_decile(offset: str) -> str:
    ranged = f"[$__rate_interval] {offset}".strip()
    return f"histogram_quantile(0.1, sum by (le) (rate({_BUCKETS}{ranged})))"


_ALL: Final = (
    series(
        "Mean score by signal",
        "1 is healthy. Each signal has a level of its own: what matters is that it moves. docs/signals.md says what"
        " each measures and where its limits are.",
        "percentunit",
        Query(mean("auscult_signal_score", by="signal"), "{{signal}}"),
        link="clinical_safety",
        highest=1,
    ),
    series(
        "Change of the mean score in a week",
        "Mean score of the last hour minus that of the same hour a week ago; below 0 is worse.",
        "percentunit",
        Query(
            'sum by (signal) (signal:auscult_signal_score:mean1h{job=~"$job"} - '
            'signal:auscult_signal_score:mean1h{job=~"$job"} offset 1w)',
            "{{signal}}",
        ),
        link="clinical_safety",
    ).min(-1),
)

_ONE: Final = (
    heat(
        "$signal: spread of scores",
        "How many segments have which score; 1 is healthy.",
        "auscult_signal_score",
        _SIGNAL,
        link="clinical_safety",
    ),
    series(
        "$signal: mean score now, a week, two and four weeks ago",
        "The same hours of the week are compared. A signal that leaves its past has changed, or what it measures has.",
        "percentunit",
        Query(_then(""), "now"),
        Query(_then("offset 1w"), "a week ago"),
        Query(_then("offset 2w"), "two weeks ago"),
        Query(_then("offset 4w"), "four weeks ago"),
        link="clinical_safety",
        highest=1,
    ),
    series(
        "$signal: the worst tenth now and before",
        "The score that a tenth of the segments do not reach: it moves before the mean does.",
        "percentunit",
        Query(_low_decile(""), "now"),
        Query(_low_decile("offset 1w"), "a week ago"),
        Query(_low_decile("offset 2w"), "two weeks ago"),
        Query(_low_decile("offset 4w"), "four weeks ago"),
        link="clinical_safety",
        highest=1,
    ),
)

_DRIFT: Final = (
    series(
        "$signal: mean score by provider",
        "A provider that falls while the others stay has changed something.",
        "percentunit",
        Query(mean("auscult_signal_score", _SIGNAL, by="asr_provider"), "{{asr_provider}}"),
        link="clinical_safety",
        highest=1,
    ),
    series(
        "$signal: mean score by recogniser's model",
        "A new model beside the old one.",
        "percentunit",
        Query(
            mean("auscult_signal_score", _SIGNAL, by="asr_provider, asr_model"),
            "{{asr_provider}} {{asr_model}}",
        ),
        link="clinical_safety",
        highest=1,
    ),
    series(
        "Segments by recogniser's model",
        "When a model came and another went.",
        "percentunit",
        Query(
            f"sum by (asr_provider, asr_model) ({rate('auscult_segments_total')})",
            "{{asr_provider}} {{asr_model}}",
        ),
        link="clinical_safety",
        stacked=StackingMode.PERCENT,
    ),
    series(
        "Risk of a model against its provider's last weeks",
        "Mean risk of the last six hours over the provider's mean in the week that ended three days ago: 1 is as"
        " before. The alert AuscultRecogniserModelWorse looks at models that are new.",
        "none",
        Query(
            'sum by (asr_provider, asr_model) (asr_model:auscult_segment_risk:mean6h{job=~"$job"} / '
            "on (namespace, job, asr_provider) group_left "
            'asr_provider:auscult_segment_risk:before{job=~"$job"})',
            "{{asr_provider}} {{asr_model}}",
        ),
        link="clinical_safety",
    ),
)

_MISSING: Final = (
    series(
        "Share of segments without a signal",
        "Some signals are often absent by their nature: a dose is not said in every line. A step upwards means that the"
        " recogniser no longer gives what the signal needs, such as times or confidences.",
        "percentunit",
        Query(
            f"sum by (signal) ({_ABSENT}) / (sum by (signal) ({_ABSENT}) + "
            f"(sum by (signal) ({_SCORED}) or 0 * sum by (signal) ({_ABSENT})))",
            "{{signal}}",
        ),
        link="service",
        highest=1,
    ),
    series(
        "Why signals are absent",
        "failed: a model or a computation broke; the others say what the segment lacks.",
        "cps",
        Query(f"sum by (reason) ({_ABSENT})", "{{reason}}"),
        link="service",
        stacked=StackingMode.NORMAL,
    ),
    series(
        "Segments that a failure left without a signal",
        "Share of segments; counted against the availability objective.",
        "percentunit",
        Query(per(rate("auscult_degraded_segments_total"), rate("auscult_segments_total")), "degraded"),
        link="service",
    ),
    series(
        "Signals left out because polls are late",
        "1 while a replica leaves out the signals that kafka.shedding.signals names.",
        "none",
        Query(f"max by (instance) ({of('auscult_shedding')})", "{{instance}}"),
        link="service",
    ),
    series(
        "What was odd with segments",
        "Repetitions, revisions, late arrivals, languages that are not understood, speakers that are not listed,"
        " confidences out of range, calls ended to bound memory.",
        "cps",
        Query(f"sum by (kind) ({rate('auscult_oddities_total')})", "{{kind}}"),
        link="service",
    ),
)

SIGNAL_HEALTH: Final = DashboardPlan(
    name="signal_health",
    title="Auscult: signal health",
    description="Each signal's scores against its own past, drift of recognisers, and signals that are absent.",
    hours=24,
    variables=(
        chosen(
            "signal",
            "Signal",
            'label_values(auscult_signal_score_count{job=~"$job"}, signal)',
            many=False,
        ),
    ),
    sections=(
        Section("All signals", _ALL),
        Section("One signal", _ONE, across=3),
        Section("Drift of the recogniser", _DRIFT),
        Section("What is not measured", _MISSING),
    ),
)
