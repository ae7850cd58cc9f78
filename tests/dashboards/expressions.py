"""What the dashboards and the rules ask of Prometheus, and what is in such a question."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import promql_parser
import yaml

ROOT = Path(__file__).parents[2]
DASHBOARDS = ROOT / "dashboards"
RULES = DASHBOARDS / "rules"
DOCUMENTS = ROOT / "docs"
DASHBOARD_FILES = sorted(DASHBOARDS.glob("*.json"))
RULE_FILES = sorted(RULES.glob("*.yaml"))

VARIABLES = {
    "$__rate_interval": "1m",
    "$__range": "5m",
    "$job": ".+",
    "$instance": ".+",
    "$tenant": ".+",
    "$signal": "perplexity",
}
"""What Grafana puts in the place of each variable, with everything chosen."""


@dataclass(frozen=True)
class Panel:
    """A panel of a dashboard, as its file has it."""

    dashboard: str
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.dashboard}: {self.fields['title']}"

    @property
    def expressions(self) -> list[str]:
        return [target["expr"] for target in self.fields["targets"]]


def dashboards() -> dict[str, dict[str, Any]]:
    return {path.stem: json.loads(path.read_text("utf-8")) for path in DASHBOARD_FILES}


def panels() -> list[Panel]:
    return [
        Panel(name, panel)
        for name, dashboard in dashboards().items()
        for panel in dashboard["panels"]
        if panel["type"] != "row"
    ]


def groups() -> list[dict[str, Any]]:
    return [group for path in RULE_FILES for group in yaml.safe_load(path.read_text("utf-8"))["groups"]]


def rules() -> list[dict[str, Any]]:
    return [rule for group in groups() for rule in group["rules"]]


def alerts() -> list[dict[str, Any]]:
    return [rule for rule in rules() if "alert" in rule]


def recorded() -> dict[str, str]:
    """Name and expression of each recorded series."""
    return {rule["record"]: rule["expr"] for rule in rules() if "record" in rule}


def filled(expression: str, **changes: str) -> str:
    """The expression with a value in the place of each of Grafana's variables."""
    for variable, value in {**VARIABLES, **{f"${name}": value for name, value in changes.items()}}.items():
        expression = expression.replace(variable, value)
    return expression


def parts(expression: str) -> Iterator[Any]:
    """Every part of an expression, the whole first."""
    found: list[Any] = []
    promql_parser.walk(promql_parser.parse(filled(expression)), found.append)
    yield from found


def selectors(expression: str) -> list[promql_parser.VectorSelector]:
    return [part for part in parts(expression) if isinstance(part, promql_parser.VectorSelector)]


def name_of(selector: promql_parser.VectorSelector) -> str:
    """The name of the series that a selector asks for; every selector here has one."""
    assert selector.name is not None
    return selector.name


def names(expression: str) -> set[str]:
    """The names of all series that an expression asks for."""
    return {name_of(selector) for selector in selectors(expression)}


def all_expressions() -> list[str]:
    asked = [expression for panel in panels() for expression in panel.expressions]
    return [*asked, *(rule["expr"] for rule in rules())]
