"""`docs/metrics.md`: every metric with its type, labels and meaning, from the declarations themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.metrics import MetricWrapperBase

from deploy.documents.markdown import table
from models.causal.language_model import CacheUse
from service.cache_metrics import CacheCollector
from service.metrics import AllowedLabels, Metrics

_INTRODUCTION: Final = """\
# Metrics

Made of the declarations in `service/metrics.py` by `make docs`: change the words there, not here.

Served at `/metrics`. Units are base units: seconds, bytes, nats; a share is from 0 to 1. Times are points in time
(`_timestamp_seconds`), so that ages are as fresh as the query. No label names a call or holds what was said. `tenant`,
`asr_provider` and `asr_model` have the values that the settings `labels.tenant`, `labels.asr_provider` and
`labels.asr_model` list, and `other` for everything else; list a provider under the name that its segments carry, which
for a recogniser's own messages is that of the format (`kafka.recogniser_topics`). Counters exist at 0 before anything
happens: flags of an origin, which is a tenant, provider, model and speaker, with its first segment.

A histogram is three series: `_bucket` with the label `le`, `_sum` and `_count`. Beside these there are those of every
Python process: `process_...` (memory, processor time, files) and `python_...` (garbage collection, version).

The dashboards, the rules and their alerts are in `dashboards/`; each alert has a [runbook](runbooks/README.md).

"""


@dataclass(frozen=True, slots=True)
class DescribedMetric:
    """One metric, by the name that queries use; of a histogram without `_bucket`, `_sum` and `_count`."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str

    def series(self) -> frozenset[str]:
        """The names of its series."""
        if self.kind != "histogram":
            return frozenset({self.name})
        return frozenset(f"{self.name}{part}" for part in ("_bucket", "_sum", "_count"))


def described_metrics() -> list[DescribedMetric]:
    """Every metric that is Auscult's own, by name."""
    return sorted((*_declared(), *_cached()), key=lambda metric: metric.name)


def metrics_reference() -> str:
    """The document."""
    rows = (
        (
            f"`{metric.name}`",
            metric.kind,
            ", ".join(f"`{label}`" for label in metric.labels),
            metric.meaning,
        )
        for metric in described_metrics()
    )
    return f"{_INTRODUCTION}{table(('metric', 'type', 'labels', 'meaning'), rows)}\n"


def _declared() -> Iterator[DescribedMetric]:
    for declared in vars(Metrics(CollectorRegistry(), AllowedLabels())).values():
        if isinstance(declared, MetricWrapperBase):
            (family,) = declared.describe()
            yield _described(family, tuple(declared._labelnames))


def _cached() -> Iterator[DescribedMetric]:
    for family in CacheCollector("model", CacheUse).collect():
        yield _described(family, tuple(family.samples[0].labels))


def _described(family: Metric, labels: tuple[str, ...]) -> DescribedMetric:
    name = f"{family.name}_total" if family.type == "counter" else family.name
    return DescribedMetric(name, family.type, labels, family.documentation)
