"""What the service's own metrics say: how quickly segments are assessed, and whether signals failed."""

import urllib.request
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

HISTOGRAM = "auscult_receipt_to_assessment_seconds"


class WithinLimit(NamedTuple):
    """Assessments acknowledged within a time limit, and all of them."""

    within: float
    all: float

    def since(self, earlier: "WithinLimit") -> "WithinLimit":
        """What has come since an earlier count."""
        return WithinLimit(self.within - earlier.within, self.all - earlier.all)

    @property
    def share(self) -> float:
        """0..1; 0 when there were none."""
        return self.within / self.all if self.all else 0.0


def within_limit(metrics: str, seconds: float) -> WithinLimit:
    """Reads the counts from a page of metrics.

    Args:
        metrics: In Prometheus' text format.
        seconds: The limit; one of the histogram's bounds.

    Raises:
        ValueError: the page has no such histogram or bound.
    """
    samples = {
        (sample.name, sample.labels.get("le")): sample.value
        for family in text_string_to_metric_families(metrics)
        if family.name == HISTOGRAM
        for sample in family.samples
    }
    try:
        return WithinLimit(samples[f"{HISTOGRAM}_bucket", str(seconds)], samples[f"{HISTOGRAM}_count", None])
    except KeyError:
        raise ValueError(f"the service does not count {HISTOGRAM} within {seconds:g} s") from None


def failed_signals(metrics: str) -> float:
    """How many signals failed since the service began, by a page of its metrics."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(metrics)
        if family.name == "auscult_signals_absent"
        for sample in family.samples
        if sample.labels["reason"] == "failed"
    )


def followed_calls(metrics: str) -> int:
    """How many calls are open for the service, by a page of its metrics."""
    return round(
        sum(
            sample.value
            for family in text_string_to_metric_families(metrics)
            if family.name == "auscult_active_calls"
            for sample in family.samples
        )
    )


def stage_seconds(metrics: str) -> dict[str, float]:
    """Seconds spent in each stage of a poll since the service began, and `polls`: how many there were."""
    seconds = {}
    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            if sample.name == "auscult_poll_stage_seconds_sum":
                seconds[sample.labels["stage"]] = sample.value
            elif sample.name == "auscult_poll_records_count":
                seconds["polls"] = sample.value
    return seconds


def read_metrics(url: str) -> str:
    """The metrics page of a service.

    Raises:
        OSError: it does not answer.
    """
    with urllib.request.urlopen(f"{url}/metrics", timeout=10) as response:  # noqa: S310 - the service's own URL
        content: bytes = response.read()
    return content.decode()
