"""The rules: promtool's own tests pass, and what promtool does not ask is asked here, after pint's checks.

pint itself is on few machines; where it is on the path it runs too.
"""

import re
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from tests.dashboards.expressions import (
    DASHBOARDS,
    DOCUMENTS,
    ROOT,
    RULE_FILES,
    RULES,
    alerts,
    groups,
    names,
    parts,
    recorded,
    rules,
)
from tests.dashboards.tools import on_path, output, tool

RULE_TESTS = sorted((Path(__file__).parent / "rules").glob("*.yaml"))
LEVELS = {
    "job": {"namespace", "job"},
    "asr_provider": {"namespace", "job", "asr_provider"},
    "asr_model": {"namespace", "job", "asr_provider", "asr_model"},
    "signal": {"namespace", "job", "signal"},
}
"""Level of a recorded series, by the first word of its name, and the labels that it keeps."""

RUNBOOKS = DOCUMENTS / "runbooks"
ALERT_NAMES = sorted({rule["alert"] for rule in alerts()})


def each_alert() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])


def test_promtool_and_its_lint_find_nothing() -> None:
    output(tool("promtool"), "check", "rules", "--lint=all", "--lint-fatal", *RULE_FILES)


@pytest.mark.parametrize("path", RULE_TESTS, ids=lambda path: path.stem)
def test_every_alert_does_what_its_tests_on_synthetic_series_say(path: Path) -> None:
    output(tool("promtool"), "test", "rules", path)


def test_pint_finds_nothing() -> None:
    output(on_path("pint"), "--config", DASHBOARDS / "pint.hcl", "lint", RULES, folder=ROOT)


@pytest.mark.parametrize("name", ALERT_NAMES)
def test_an_alert_is_tested_when_it_fires_and_when_it_does_not_yet(name: str) -> None:
    fires = [bool(case.get("exp_alerts")) for case in _cases("alert_rule_test") if case["alertname"] == name]
    queried = [case for case in _cases("promql_expr_test") if _asks_for(case, name)]
    expected = {*fires, *(bool(case["exp_samples"]) for case in queried)}
    assert expected == {True, False}


@each_alert()
def test_an_alert_says_who_how_soon_what_and_where_to_read_on(rule: dict[str, Any]) -> None:
    assert re.fullmatch(r"Auscult[A-Z][A-Za-z]+", rule["alert"])
    assert rule["labels"]["severity"] in {"critical", "warning"}
    assert rule["labels"]["audience"] in {"clinical", "service"}
    assert rule["for"]
    assert set(rule["annotations"]) == {"summary", "description", "runbook_url"}
    assert rule["annotations"]["summary"].endswith(".")
    assert rule["annotations"]["description"] != rule["annotations"]["summary"]
    assert rule["annotations"]["runbook_url"] == f"docs/runbooks/{rule['alert']}.md"


@each_alert()
def test_an_alert_names_no_label_that_its_query_drops_and_no_value_as_a_label(rule: dict[str, Any]) -> None:
    for text in rule["annotations"].values():
        for label in re.findall(r"\$labels\.(\w+)", text):
            assert label in _labels(rule["expr"])
    assert not any("$value" in str(value) for value in rule["labels"].values())


@each_alert()
def test_an_alert_compares_something_with_something(rule: dict[str, Any]) -> None:
    assert re.search(r"[<>]|absent\(|unless", rule["expr"])


@pytest.mark.parametrize("name", recorded())
def test_a_recorded_series_is_named_by_its_level_metric_and_operation(name: str) -> None:
    level, metric, operation = name.split(":")
    assert metric.startswith("auscult_")
    assert operation
    for part in parts(recorded()[name]):
        if isinstance(part, promql_parser.AggregateExpr) and part.modifier is not None:
            kept = set(part.modifier.labels)
            assert {"namespace", "job"} <= kept <= LEVELS[level]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.get("alert") or rule["record"])
def test_aggregations_keep_the_job_and_rates_span_several_scrapes(rule: dict[str, Any]) -> None:
    for part in parts(rule["expr"]):
        if isinstance(part, promql_parser.AggregateExpr):
            assert part.modifier is not None
            assert "job" in part.modifier.labels
        if isinstance(part, promql_parser.MatrixSelector):
            assert part.range.total_seconds() >= 300


def test_recorded_series_are_recorded_before_alerts_ask_for_them() -> None:
    """Groups of a file are evaluated by themselves; within a group the order is that of the file."""
    for group in groups():
        seen: set[str] = set()
        own = {rule["record"] for rule in group["rules"] if "record" in rule}
        for rule in group["rules"]:
            assert {name for name in names(rule["expr"]) if name in own} <= seen
            seen |= {rule["record"]} if "record" in rule else set()


def test_there_is_a_runbook_for_each_alert_and_for_nothing_else() -> None:
    pages = {path.stem: path.read_text("utf-8") for path in RUNBOOKS.glob("Auscult*.md")}
    assert sorted(pages) == ALERT_NAMES
    listed = re.findall(r"\]\((Auscult\w+)\.md\)", (RUNBOOKS / "README.md").read_text("utf-8"))
    assert sorted(listed) == ALERT_NAMES
    for name, page in pages.items():
        assert page.startswith(f"# {name}: ")
        headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
        assert headings == ["What it means", "What to look at", "What to do"]


@pytest.mark.parametrize("name", ALERT_NAMES)
def test_a_runbook_does_not_repeat_its_alert_and_asks_queries_that_parse(name: str) -> None:
    page = (RUNBOOKS / f"{name}.md").read_text("utf-8")
    for rule in alerts():
        if rule["alert"] == name:
            assert rule["annotations"]["summary"] not in page
            assert rule["annotations"]["description"].strip() not in " ".join(page.split())
    queries = [code for code in re.findall(r"`([^`]+)`", page) if re.search(r"\w\(.*auscult_", code)]
    assert queries or re.search(r"`(auscult_|up|\w+:auscult_)", page) or "Clinical safety" in page
    for query in queries:
        promql_parser.parse(query)


def _labels(expression: str) -> set[str]:
    """Labels that an alert's expression may have: those that its aggregations keep, else those of its series."""
    kept = [
        set(part.modifier.labels)
        for part in parts(expression)
        if isinstance(part, promql_parser.AggregateExpr) and part.modifier is not None
    ]
    if kept:
        return set.union(*kept)
    levels = [LEVELS[name.split(":")[0]] for name in names(expression) if ":" in name]
    return set.union(*levels) if levels else {"namespace", "job", "instance", "topic", "partition"}


def _cases(kind: str) -> list[dict[str, Any]]:
    tests = [test for path in RULE_TESTS for test in yaml.safe_load(path.read_text("utf-8"))["tests"]]
    return [case for test in tests for case in test.get(kind, [])]


def _asks_for(case: dict[str, Any], name: str) -> bool:
    """Whether an expression is about this alert, by its name or by the name of one that is expected."""
    return f'alertname="{name}"' in f"{case['expr']} {case['exp_samples']}"
