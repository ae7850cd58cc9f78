"""Every metric, declared once. No label holds a call id or text; open-ended labels come from allow-lists."""

import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from typing import Final, Protocol, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

from models.causal.language_model import CacheUse
from service.cache_metrics import CacheCollector
from service.flagging import SEVERITIES
from service.observation import Observation, Oddity, WorstFlag
from service.signals.base import FAILED, FlagType
from streams.decoding import IgnoredReason
from streams.fields import ErrorKind, InputOddity
from streams.messages import Assessment, CallSummary, Recommendation, Segment, Speaker

# A series with the time of creation beside every counter and histogram would double their number.
disable_created_metrics()  # type: ignore[no-untyped-call]

OTHER: Final = "other"
_ORIGIN: Final = ("tenant", "asr_provider", "asr_model", "speaker")
_UNIT_BUCKETS: Final = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_LATENCY_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_INFERENCE_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_BYTE_BUCKETS: Final = (1_024, 4_096, 16_384, 65_536, 131_072, 262_144, 524_288, 900_000)
_COUNT_BUCKETS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

_STAGES: Final = ("read", "observe", "publish", "commit")
_RETRIED: Final = ("publish", "take_over", "offsets", "read_state", "transaction")
_UNUSABLE_STATES: Final = ("set_back", "too_large", "unreadable")


class ModelMeter(Protocol):
    """What the model layer reports its runs to. Called on the thread that runs the model."""

    def observed(self, model: str, stage: str, seconds: float, items: int, tokens: int) -> None:
        """One step of one batch is done.

        Args:
            model: Its id.
            stage: Which step, such as `tokenize` or `infer`.
            seconds: How long it took.
            items: Texts or pairs of the batch.
            tokens: Tokens of the batch, padding not counted; 0 for steps that run none.
        """
        ...

    def model_in_use(self, purpose: str, model: str, provider: str) -> None:
        """A model was opened: what it is for, its id, and the execution provider that really runs it."""
        ...

    def self_tested(self, model: str, products: str, error: float) -> None:
        """A model scored its own text: the products it runs with, and their mean absolute error in nats."""
        ...

    def cache_in_use(self, model: str, use: Callable[[], CacheUse]) -> None:
        """A model with a cache was opened; `use` says how well it serves, whenever it is asked."""
        ...


@dataclass(frozen=True, slots=True)
class AllowedLabels:
    """Values that open-ended labels may have; anything else, absence included, is `other`."""

    tenant: frozenset[str] = frozenset()
    asr_provider: frozenset[str] = frozenset()
    asr_model: frozenset[str] = frozenset()

    def origin(self, segment: Segment) -> tuple[str, str, str, str]:
        """The values of tenant, asr_provider, asr_model and speaker for a segment."""
        asr = segment.asr
        return (
            _allowed(segment.tenant, self.tenant),
            _allowed(asr.provider, self.asr_provider),
            _allowed(asr.model, self.asr_model),
            segment.speaker,
        )

    def origins(self) -> Iterable[tuple[str, ...]]:
        """Every combination of values."""
        speakers: tuple[str, ...] = get_args(Speaker)
        known = (sorted(values | {OTHER}) for values in (self.tenant, self.asr_provider, self.asr_model))
        return product(*known, speakers)


def _allowed(value: str | None, values: frozenset[str]) -> str:
    return value if value is not None and value in values else OTHER


class Metrics:
    """All metrics of one process, on a registry of its own. Safe to use from several threads."""

    def __init__(self, registry: CollectorRegistry, labels: AllowedLabels) -> None:
        self.registry = registry
        self._labels = labels
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

        def counter(name: str, meaning: str, *names: str) -> Counter:
            return Counter(f"auscult_{name}", meaning, names, registry=registry)

        def gauge(name: str, meaning: str, *names: str) -> Gauge:
            return Gauge(f"auscult_{name}", meaning, names, registry=registry)

        def histogram(name: str, meaning: str, buckets: tuple[float, ...], *names: str) -> Histogram:
            return Histogram(f"auscult_{name}", meaning, names, buckets=buckets, registry=registry)

        self.segments = counter("segments", "Segments assessed.", *_ORIGIN)
        self.dead_letters = counter("dead_letters", "Records that could not be read.", "kind")
        self.ignored = counter("ignored_records", "Records that say nothing.", "reason")
        self.oddities = counter("oddities", "What was odd but not wrong with a segment.", "kind")
        self.degraded = counter(
            "degraded_segments", "Segments assessed without a signal whose model or computation failed."
        )
        self.flags = counter("flags", "Flags raised.", "type", "severity", *_ORIGIN)
        self.summaries = counter("call_summaries", "Calls summarised.", "recommendation", "ended_by")
        self.signal_score = histogram(
            "signal_score", "Score of a signal, 1 is healthy.", _UNIT_BUCKETS, "signal", *_ORIGIN
        )
        self.signals_absent = counter("signals_absent", "Signals without a value.", "signal", "reason")
        self.shedding = gauge("shedding", "1 while signals are left out because polls are late.")
        self.risk = histogram("segment_risk", "Risk of a segment.", _UNIT_BUCKETS, *_ORIGIN)
        self.quality = histogram(
            "segment_quality", "Composite quality of a segment.", _UNIT_BUCKETS, *_ORIGIN
        )
        self.active_calls = gauge(
            "active_calls", "Calls being followed, by the most severe flag so far.", "worst_flag"
        )
        self.receipt_to_assessment = histogram(
            "receipt_to_assessment_seconds",
            "From the time a segment was received, or its record written, to its acknowledged assessment.",
            _LATENCY_BUCKETS,
        )
        self.poll_seconds = histogram(
            "poll_stage_seconds", "Time of a stage of a poll.", _LATENCY_BUCKETS, "stage"
        )
        self.poll_records = histogram("poll_records", "Records of a poll.", _COUNT_BUCKETS)
        self.model_seconds = histogram(
            "model_batch_seconds", "Time of a stage of a model's batch.", _INFERENCE_BUCKETS, "model", "stage"
        )
        self.model_items = histogram(
            "model_batch_items", "Texts or pairs of a model's batch.", _COUNT_BUCKETS, "model", "stage"
        )
        self.model_tokens = counter("model_tokens", "Tokens that a model has run.", "model")
        self.lag = gauge(
            "consumer_lag_records", "High-water mark minus what was processed.", "topic", "partition"
        )
        self.newest_event = gauge(
            "newest_event_timestamp_seconds", "Time of the newest processed record.", "topic", "partition"
        )
        self.last_poll = gauge("last_poll_timestamp_seconds", "When the consumer last asked for records.")
        self.partitions = gauge("assigned_partitions", "Partitions that this replica reads.")
        self.commit_failures = counter("commit_failures", "Offset commits that failed.")
        self.kafka_retries = counter("kafka_retries", "What Kafka did not do and was tried again.", "what")
        self.polls_dropped = counter("polls_dropped", "Polls given up before their end, to be read again.")
        self.redelivered = counter("redelivered_records", "Records read again whose outcome was out already.")
        self.states_restored = counter("call_states_restored", "Calls that went on here from their state.")
        self.states_unusable = counter(
            "call_states_unusable", "States of calls that could not be used or written.", "reason"
        )
        self.states_lost = counter(
            "call_states_lost", "Partitions taken over whose states had been deleted: open calls began anew."
        )
        self.state_bytes = histogram("call_state_bytes", "Size of a call's state.", _BYTE_BUCKETS)
        self.model_info = gauge("model_info", "1 for each model in use.", "purpose", "model", "provider")
        self.self_test_error = gauge(
            "model_self_test_error_nats",
            "Mean absolute error on the model's own text, with the products that it runs with.",
            "model",
            "products",
        )
        self.build_info = gauge("build_info", "1 for this build.", "version", "python")
        self._flagged_origins: set[tuple[str, ...]] = set()
        self._create_known_series()

    def _create_known_series(self) -> None:
        for origin in self._labels.origins():
            self.segments.labels(*origin)
        for kind in get_args(ErrorKind):
            self.dead_letters.labels(kind)
        for reason in get_args(IgnoredReason):
            self.ignored.labels(reason)
        for oddity in (*get_args(Oddity), *get_args(InputOddity)):
            self.oddities.labels(oddity)
        for stage in _STAGES:
            self.poll_seconds.labels(stage)
        for worst in get_args(WorstFlag):
            self.active_calls.labels(worst)
        for what in _RETRIED:
            self.kafka_retries.labels(what)
        for unusable in _UNUSABLE_STATES:
            self.states_unusable.labels(unusable)
        endings = get_args(CallSummary.__annotations__["ended_by"])
        for recommendation, ended_by in product(get_args(Recommendation), endings):
            self.summaries.labels(recommendation, ended_by)
        self.build_info.labels(version("auscult"), platform.python_version()).set(1)

    def record(self, observation: Observation) -> None:
        """Counts what the monitor gave back."""
        for assessment in observation.assessments:
            self._record_assessment(assessment)
        for summary in observation.summaries:
            self.summaries.labels(summary.recommendation, summary.ended_by).inc()
        self.count_oddities(observation.oddities)

    def count_oddities(self, oddities: Mapping[Oddity, int] | Mapping[InputOddity, int]) -> None:
        """Counts oddities, whether of the monitor or of the decoder."""
        for kind, count in oddities.items():
            self.oddities.labels(kind).inc(count)

    def _record_assessment(self, assessment: Assessment) -> None:
        origin = self._labels.origin(assessment.segment)
        self._expect_flags(origin)
        self.segments.labels(*origin).inc()
        self.risk.labels(*origin).observe(assessment.risk)
        if assessment.quality is not None:
            self.quality.labels(*origin).observe(assessment.quality)
        for name, reading in assessment.signals.items():
            if reading.score is not None:
                self.signal_score.labels(name, *origin).observe(reading.score)
            elif reading.absent is not None:
                self.signals_absent.labels(name, reading.absent).inc()
        if any(reading.absent == FAILED for reading in assessment.signals.values()):
            self.degraded.inc()
        for flag in assessment.flags:
            self.flags.labels(flag.type, flag.severity, *origin).inc()

    def _expect_flags(self, origin: tuple[str, ...]) -> None:
        """Begins an origin's flags at zero with its first segment: of a series that begins at 1 no rate is seen."""
        if origin not in self._flagged_origins:
            self._flagged_origins.add(origin)
            for flag_type, severity in product(get_args(FlagType), SEVERITIES):
                self.flags.labels(flag_type, severity, *origin)

    def calls_followed(self, by_worst_flag: Mapping[WorstFlag, int]) -> None:
        """Notes how many calls are being followed, by the most severe flag that each has so far."""
        for worst in get_args(WorstFlag):
            self.active_calls.labels(worst).set(by_worst_flag.get(worst, 0))

    def observed(self, model: str, stage: str, seconds: float, items: int, tokens: int) -> None:
        """Counts one step of one batch of a model; see `ModelMeter`."""
        self.model_seconds.labels(model, stage).observe(seconds)
        self.model_items.labels(model, stage).observe(items)
        if tokens:
            self.model_tokens.labels(model).inc(tokens)

    def model_in_use(self, purpose: str, model: str, provider: str) -> None:
        """Notes which model serves a purpose, and the execution provider that runs it."""
        self.model_info.labels(purpose, model, provider).set(1)

    def self_tested(self, model: str, products: str, error: float) -> None:
        """Exports which products a model runs with, and how right they are here."""
        self.self_test_error.labels(model, products).set(error)

    def cache_in_use(self, model: str, use: Callable[[], CacheUse]) -> None:
        """Exports how well a model's cache serves."""
        self.registry.register(CacheCollector(model, use))

    def partition_progress(self, topic: str, partition: int, lag: int | None, newest: float | None) -> None:
        """Notes how far a partition is read.

        Args:
            topic: The topic.
            partition: Its partition.
            lag: Records behind the high-water mark; None: not known yet.
            newest: Seconds since 1970 of the newest processed record; None: none was processed yet.
        """
        if lag is not None:
            self.lag.labels(topic, str(partition)).set(lag)
        if newest is not None:
            self.newest_event.labels(topic, str(partition)).set(newest)

    def partition_gone(self, topic: str, partition: int) -> None:
        """Removes a partition's series: another replica reads it now."""
        for series in (self.lag, self.newest_event):
            series.remove_by_labels({"topic": topic, "partition": str(partition)})
