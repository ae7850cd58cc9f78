"""Against reality: a real Prometheus on a real service through which calls go answers every query that there is.

Weeks of past are put into Prometheus before, so that baselines and comparisons with last month have something to go by.
`pytest -rP tests/dashboards/test_live.py` prints each query's status.
"""

import asyncio
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from service.demo.environment import LOOPBACK
from tests.dashboards.expressions import (
    alerts,
    filled,
    panels,
    recorded,
    selectors,
)
from tests.dashboards.history import write_history
from tests.dashboards.live_service import live_service
from tests.dashboards.prometheus import DATA, JOB, Prometheus, running_prometheus
from tests.dashboards.test_names import EXPORTED
from tests.dashboards.tools import tool
from tests.kafka import WAIT_SECONDS, broker_address
from tests.service.live.conftest import new_bench

__all__ = ["broker_address"]
pytestmark = pytest.mark.ops

SCRAPES = 5
"""After the last call, so that every rule has seen all of it."""

PATIENCE_SECONDS = 4 * WAIT_SECONDS
ANSWERED = f'sum_over_time(up{{job="{JOB}"}}[10m])'
"""How often the service has answered."""


@dataclass(frozen=True)
class Asked:
    """An expression, whose it is, and what came of it."""

    whose: str
    expression: str
    series: int

    def __str__(self) -> str:
        return f"{self.whose}: {self.series} series: {self.expression}"


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
    programs = {name: tool(name) for name in ("prometheus", "promtool")}
    return asyncio.run(_answers(broker_address, programs, tmp_path_factory.mktemp("prometheus")))


async def _answers(broker: str, programs: Mapping[str, Path], folder: Path) -> Answers:
    async with live_service(await new_bench(broker)) as service, AsyncExitStack() as stack:
        target = f"{LOOPBACK}:{service.port}"
        await asyncio.to_thread(write_history, programs["promtool"], folder / DATA, JOB, target, time.time())
        prometheus = await stack.enter_async_context(
            running_prometheus(programs["prometheus"], folder, target)
        )
        await prometheus.until(ANSWERED, 2, PATIENCE_SECONDS)
        calls = await service.hear_calls()
        await prometheus.until("sum(auscult_call_summaries_total)", calls, PATIENCE_SECONDS)
        answered = await asyncio.to_thread(prometheus.number, ANSWERED)
        await prometheus.until(ANSWERED, answered + SCRAPES, PATIENCE_SECONDS)
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
        names={one["metric"]["__name__"] for one in prometheus.series(f'{{job="{JOB}"}}')},
    )


def _empty(asked: list[Asked]) -> list[Asked]:
    """Those without data; shows the status of all."""
    empty = [one for one in asked if not one.series]
    sys.stdout.write("".join(f"{one}\n" for one in asked))
    sys.stdout.write(f"{len(asked)} asked, {len(asked) - len(empty)} with data\n")
    return empty


def test_every_query_of_every_panel_has_data(answers: Answers) -> None:
    assert _empty(answers.panels) == []


def test_every_recorded_series_has_data(answers: Answers) -> None:
    assert _empty(answers.recorded) == []


def test_whatever_an_alert_looks_at_is_there(answers: Answers) -> None:
    assert _empty(answers.selectors) == []


def test_a_healthy_service_raises_no_alert(answers: Answers) -> None:
    """Of the service, that is: what is found in its calls has nothing to do with the past that was put in."""
    service = {rule["alert"] for rule in alerts() if rule["labels"]["audience"] == "service"}
    assert [one for one in answers.alerts if one.series and one.whose in service] == []


def test_prometheus_evaluates_every_rule_without_a_fault(answers: Answers) -> None:
    assert len(answers.rules) == len(alerts()) + len(recorded())
    assert [(rule["name"], rule.get("lastError")) for rule in answers.rules if rule["health"] != "ok"] == []


def test_the_service_exports_what_is_described_and_nothing_else(answers: Answers) -> None:
    own = {name for name in answers.names if name.startswith("auscult_")}
    assert own == EXPORTED
    others = answers.names - own - {name for name in answers.names if ":" in name}
    assert {name.split("_")[0] for name in others} <= {"ALERTS", "process", "python", "scrape", "up"}
