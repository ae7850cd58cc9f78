"""Metrics that dashboards, rules and documents name are those that the service exports: no more and no fewer."""

import re

import pytest

from deploy.documents.metrics_reference import DescribedMetric, described_metrics, metrics_reference
from tests.dashboards.expressions import DOCUMENTS, ROOT, all_expressions, names, recorded

OF_EVERY_PROCESS = {
    "up": "Prometheus writes it for each target.",
    "process_resident_memory_bytes": "of every Python process",
    "process_cpu_seconds_total": "of every Python process",
    "process_start_time_seconds": "of every Python process",
}
"""What is asked for and is not Auscult's own, and where it comes from."""

EXPORTED = {series for metric in described_metrics() for series in metric.series()}


def test_every_name_that_is_asked_for_is_exported_or_recorded() -> None:
    asked = {name for expression in all_expressions() for name in names(expression)}
    assert asked - EXPORTED - set(recorded()) == set(OF_EVERY_PROCESS)


@pytest.mark.parametrize("metric", described_metrics(), ids=lambda metric: metric.name)
def test_every_metric_is_looked_at_somewhere(metric: DescribedMetric) -> None:
    """A metric that no panel shows and no rule reads is one that nobody would miss."""
    asked = {name for expression in all_expressions() for name in names(expression)}
    assert metric.series() & asked


@pytest.mark.parametrize("name", recorded())
def test_every_recorded_series_is_looked_at_somewhere(name: str) -> None:
    assert name in {asked for expression in all_expressions() for asked in names(expression)}


def test_the_reference_is_what_the_declarations_say() -> None:
    """Else run `make docs`."""
    assert (DOCUMENTS / "metrics.md").read_text("utf-8") == metrics_reference()


def test_documents_name_no_other_metric() -> None:
    whole = EXPORTED | {metric.name for metric in described_metrics()} | set(recorded())
    for path in (*DOCUMENTS.rglob("*.md"), ROOT / "README.md", *(ROOT / "helm").glob("*.md")):
        text = path.read_text("utf-8")
        for name in re.findall(r"(?<![\w/.-])(?:[a-z_]+:)?auscult_[a-z_]+(?::\w+)?(?![\w/(.-])", text):
            assert name in whole, f"{path.name} names {name}"
