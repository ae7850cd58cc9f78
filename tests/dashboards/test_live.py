"""Against reality: a real Prometheus on a real service through which calls go answers every query that there is.

`pytest -rP tests/dashboards/test_live.py` prints each query's status.
"""

import asyncio
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.dashboards.expressions import (
    alerts,
    filled,
    names,
    panels,
    recorded,
    selectors,
)
from tests.dashboards.live_service import live_service
from tests.dashboards.prometheus import JOB, Prometheus, running_prometheus
from tests.dashboards.test_names import EXPORTED
from tests.dashboards.tools import tool
from tests.kafka import WAIT_SECONDS, broker_address
from tests.service.live.conftest import new_bench

__all__ = ["broker_address"]
pytestmark = pytest.mark.ops

WITHOUT_DATA = {
    r"offset [124]w": "a service that runs for seconds has no last weeks",
    r":expected1h|:before|offset [13]d": "a baseline needs ten hours of history, a day old or more",
}
"""Expressions that give nothing here, legitimately, and why."""

SCRAPES = 8
"""After the last call, so that every rule has seen all of it."""


@dataclass(frozen=True)
class Asked:
    """An expression, whose it is, and what came of it."""

    whose: str
    expression: str
    series: int

    @property
    def excused(self) -> str | None:
        return next((why for what, why in WITHOUT_DATA.items() if re.search(what, self.expression)), None)

    def __str__(self) -> str:
        status = f"{self.series} series" if self.series else f"no data: {self.excused}"
        return f"{self.whose}: {status}: {self.expression}"


@dataclass(frozen=True)
class Answers:
    """All that Prometheus said while the service ran."""

    panels: list[Asked]
    recorded: list[Asked]
    selectors: list[Asked]
    alerts: list[Asked]
    rules: list[dict[str, Any]]
    names: set[str]


@pytest.fixture(scope="module")
def answers(broker_address: str, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    return asyncio.run(_answers(broker_address, tool("prometheus"), tmp_path_factory.mktemp("prometheus")))


async def _answers(broker: str, program: Path, folder: Path) -> Answers:
    bench = await new_bench(broker)
    async with (
        live_service(bench) as service,
        running_prometheus(program, folder, f"127.0.0.1:{service.port}") as prometheus,
    ):
        await prometheus.until(f'count_over_time(up{{job="{JOB}"}}[1m])', 2, WAIT_SECONDS)
        calls = await service.hear_calls()
        await prometheus.until("sum(auscult_call_summaries_total)", calls, 3 * WAIT_SECONDS)
        seen = prometheus.number(f'count_over_time(up{{job="{JOB}"}}[10m])')
        await prometheus.until(f'count_over_time(up{{job="{JOB}"}}[10m])', seen + SCRAPES, WAIT_SECONDS)
        return await asyncio.to_thread(_ask_everything, prometheus)


def _ask_everything(prometheus: Prometheus) -> Answers:
    def asked(whose: str, expression: str) -> Asked:
        return Asked(whose, expression, len(prometheus.series(filled(expression))))

    return Answers(
        panels=[asked(panel.name, expression) for panel in panels() for expression in panel.expressions],
        recorded=[asked(name, expression) for name, expression in recorded().items()],
        selectors=[
            asked(rule["alert"], selector.prettify())
            for rule in alerts()
            for selector in selectors(rule["expr"])
        ],
        alerts=[asked(rule["alert"], rule["expr"]) for rule in alerts()],
        rules=[rule for group in prometheus.get("rules")["groups"] for rule in group["rules"]],
        names=set(prometheus.get("label/__name__/values", **{"match[]": f'{{job="{JOB}"}}'})),
    )


def _show(asked: list[Asked]) -> None:
    with_data = sum(bool(one.series) for one in asked)
    sys.stdout.write("".join(f"{one}\n" for one in asked))
    sys.stdout.write(f"{len(asked)} asked, {with_data} with data, {len(asked) - with_data} excused\n")


def _unexplained(asked: list[Asked]) -> list[Asked]:
    """Those without data and without excuse, and those with both."""
    return [one for one in asked if bool(one.series) == bool(one.excused)]


def test_every_query_of_every_panel_has_data_or_an_excuse(answers: Answers) -> None:
    _show(answers.panels)
    assert _unexplained(answers.panels) == []


def test_every_recorded_series_has_data_or_an_excuse(answers: Answers) -> None:
    _show(answers.recorded)
    assert _unexplained(answers.recorded) == []


def test_whatever_an_alert_looks_at_is_there_or_has_an_excuse(answers: Answers) -> None:
    _show(answers.selectors)
    assert _unexplained(answers.selectors) == []


def test_a_healthy_service_raises_no_alert(answers: Answers) -> None:
    assert [one for one in answers.alerts if one.series] == []


def test_prometheus_evaluates_every_rule_without_a_fault(answers: Answers) -> None:
    assert len(answers.rules) == len(alerts()) + len(recorded())
    assert [(rule["name"], rule.get("lastError")) for rule in answers.rules if rule["health"] != "ok"] == []


def test_the_service_exports_what_is_described_and_nothing_else(answers: Answers) -> None:
    own = {name for name in answers.names if name.startswith("auscult_")}
    assert own == EXPORTED
    others = answers.names - own - {name for name in answers.names if ":" in name}
    assert {name.split("_")[0] for name in others} <= {"ALERTS", "process", "python", "scrape", "up"}


def test_the_excuses_are_of_expressions_that_exist() -> None:
    everything = [expression for panel in panels() for expression in panel.expressions]
    everything += [*recorded().values(), *(rule["expr"] for rule in alerts())]
    for excused in WITHOUT_DATA:
        assert any(re.search(excused, expression) for expression in everything)
    assert {name for expression in everything for name in names(expression)}
