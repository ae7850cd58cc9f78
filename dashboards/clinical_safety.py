"""Which calls are at risk, what is flagged in them, and where it comes from: for whoever answers for the patients."""

from typing import Final

from grafana_foundation_sdk.models.common import StackingMode

from dashboards.panels import (
    DashboardPlan,
    Query,
    Section,
    heat,
    mean,
    number,
    of,
    per,
    quantiles,
    ranking,
    rate,
    series,
)

_URGENT: Final = 'severity=~"critical|high"'
_AT_RISK: Final = 'worst_flag=~"critical|high"'
_SENT: Final = 'recommendation!="ACCEPT"'
_SEGMENTS: Final = rate("auscult_segments_total")

_NOW: Final = (
    number(
        "Calls at risk now",
        "Calls that are running and have at least one flag of critical or high severity.",
        "none",
        Query(f"sum({of('auscult_active_calls', _AT_RISK)})"),
        link="signal_health",
        alarming=1,
    ),
    number(
        "Calls being followed",
        "Calls that are running, as far as they are known: begun, not ended and not silent for too long.",
        "none",
        Query(f"sum({of('auscult_active_calls')})"),
        link="service",
    ),
    number(
        "Urgent flags in the time shown",
        "Flags of critical or high severity: a drug, a dose, a frequency or a negation that is likely wrong or lost.",
        "short",
        Query(f"sum(increase({of('auscult_flags_total', _URGENT)}[$__range]))"),
        link="signal_health",
    ),
    number(
        "Calls sent to a person in the time shown",
        "Share of ended calls with the recommendation REVIEW or REJECT. The alert budget sets what it should be.",
        "percentunit",
        Query(
            f"sum(increase({of('auscult_call_summaries_total', _SENT)}[$__range])) / "
            f"sum(increase({of('auscult_call_summaries_total')}[$__range]))"
        ),
        link="signal_health",
    ),
)

_FLAGS: Final = (
    series(
        "Running calls by their worst flag",
        "Each call counts once, under the most severe flag that it has so far.",
        "none",
        Query(f"sum by (worst_flag) ({of('auscult_active_calls')})", "{{worst_flag}}"),
        link="service",
        stacked=StackingMode.NORMAL,
    ),
    series(
        "Flags per segment by severity",
        "A level that rises for all severities at once is rather the recogniser than the calls.",
        "percentunit",
        Query(
            f"sum by (severity) ({rate('auscult_flags_total')}) / ignoring (severity) group_left sum({_SEGMENTS})",
            "{{severity}}",
        ),
        link="signal_health",
    ),
    series(
        "Flags per segment by type",
        "What is wrong: a term misheard, words lost, an answer that contradicts another, text that nobody said.",
        "percentunit",
        Query(
            f"sum by (type) ({rate('auscult_flags_total')}) / ignoring (type) group_left sum({_SEGMENTS})",
            "{{type}}",
        ),
        link="signal_health",
    ),
    series(
        "Flags of the last hour against what was to be expected",
        "Flags above low severity in an hour, and what the last week's rate would give for as many segments. The alerts"
        " AuscultFlagRateHigh and AuscultFlagRateLow compare the two.",
        "short",
        Query('sum by (job) (job:auscult_flags:increase1h{job=~"$job"})', "flags {{job}}"),
        Query('sum by (job) (job:auscult_flags:expected1h{job=~"$job"})', "expected {{job}}"),
        link="signal_health",
    ),
)

_CALLS: Final = (
    series(
        "Recommendations",
        "What ended calls came to: ACCEPT, REVIEW or REJECT.",
        "percentunit",
        Query(
            f"sum by (recommendation) ({rate('auscult_call_summaries_total')})",
            "{{recommendation}}",
        ),
        link="service",
        stacked=StackingMode.PERCENT,
    ),
    series(
        "How calls end",
        "By the recogniser's message, by silence, or because the input ended. Many by silence: messages of the end are"
        " missing, and summaries come late.",
        "cps",
        Query(f"sum by (ended_by) ({rate('auscult_call_summaries_total')})", "{{ended_by}}"),
        link="service",
        stacked=StackingMode.NORMAL,
    ),
)

_RISK: Final = (
    heat(
        "Risk of segments",
        "How many segments have which risk: the probability that a clinician who reads the segment misunderstands the"
        " patient's condition.",
        "auscult_segment_risk",
        link="signal_health",
    ),
    series(
        "Risk of segments: percentiles",
        "The alert line is in the upper tail. A median that moves is another kind of calls or another recogniser.",
        "percentunit",
        *quantiles("auscult_segment_risk"),
        link="signal_health",
        highest=1,
    ),
    heat(
        "Composite quality of segments",
        "Weighted mean of the simple published signals, for comparison with other tools; 1 is healthy.",
        "auscult_segment_quality",
        link="signal_health",
    ),
    ranking(
        "Worst signals",
        "Signals with the lowest mean score in the time shown; 1 is healthy.",
        "percentunit",
        Query(
            f"bottomk(8, sum by (signal) (increase({of('auscult_signal_score_sum')}[$__range])) / "
            f"sum by (signal) (increase({of('auscult_signal_score_count')}[$__range])))",
            "{{signal}}",
        ),
        link="signal_health",
        highest=1,
    ),
)

_ORIGINS: Final = (
    series(
        "Mean risk by provider",
        "Providers that the setting labels.asr_provider lists; the rest is other.",
        "percentunit",
        Query(mean("auscult_segment_risk", by="asr_provider"), "{{asr_provider}}"),
        link="signal_health",
    ),
    series(
        "Mean risk by recogniser's model",
        "Models that the setting labels.asr_model lists; the rest is other.",
        "percentunit",
        Query(mean("auscult_segment_risk", by="asr_provider, asr_model"), "{{asr_provider}} {{asr_model}}"),
        link="signal_health",
    ),
    series(
        "Mean risk by speaker",
        "Patients are harder to recognise than clinicians; a speaker unknown says that roles are not mapped.",
        "percentunit",
        Query(mean("auscult_segment_risk", by="speaker"), "{{speaker}}"),
        link="signal_health",
    ),
    series(
        "Urgent flags per segment by provider",
        "Flags of critical and high severity.",
        "percentunit",
        Query(per(rate("auscult_flags_total", _URGENT), _SEGMENTS, by="asr_provider"), "{{asr_provider}}"),
        link="signal_health",
    ),
    series(
        "Urgent flags per segment by recogniser's model",
        "Flags of critical and high severity.",
        "percentunit",
        Query(
            per(rate("auscult_flags_total", _URGENT), _SEGMENTS, by="asr_provider, asr_model"),
            "{{asr_provider}} {{asr_model}}",
        ),
        link="signal_health",
    ),
    series(
        "Urgent flags per segment by speaker",
        "Flags of critical and high severity.",
        "percentunit",
        Query(per(rate("auscult_flags_total", _URGENT), _SEGMENTS, by="speaker"), "{{speaker}}"),
        link="signal_health",
    ),
)

CLINICAL_SAFETY: Final = DashboardPlan(
    name="clinical_safety",
    title="Auscult: clinical safety",
    description="Calls at risk, flags, recommendations and risk, and which recogniser and speaker they come from.",
    sections=(
        Section("Now", _NOW, across=4),
        Section("Flags", _FLAGS),
        Section("Calls", _CALLS),
        Section("Risk", _RISK),
        Section("Where it comes from", _ORIGINS, across=3),
    ),
)
