"""The dashboards: their files are what the code makes, and they keep the rules of dashboard-linter.

Its rules are written down here, since the linter itself is on few machines; where it is on the path it runs too.
"""

import re
from pathlib import Path
from typing import Any

import promql_parser
import pytest

from dashboards.build import dashboard_files
from tests.dashboards.expressions import (
    DASHBOARD_FILES,
    DASHBOARDS,
    Panel,
    dashboards,
    filled,
    name_of,
    panels,
    parts,
    recorded,
    selectors,
)
from tests.dashboards.tools import on_path, output

UNITS = {"none", "short", "percentunit", "s", "bytes", "cps", "rps", "ops", "dateTimeFromNow"}


def each_panel() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel.name)


def each_dashboard() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("dashboard", dashboards().values(), ids=dashboards().keys())


def test_the_files_are_what_the_code_makes() -> None:
    """Else run `make dashboards`."""
    made = dashboard_files()
    assert {path: path.read_text("utf-8") for path in DASHBOARD_FILES} == made


@each_dashboard()
def test_data_source_job_instance_and_tenant_are_chosen_on_top(dashboard: dict[str, Any]) -> None:
    variables = {variable["name"]: variable for variable in dashboard["templating"]["list"]}
    source = variables.pop("datasource")
    assert (source["type"], source["query"], source["label"]) == ("datasource", "prometheus", "Data source")
    for name in ("job", "instance", "tenant"):
        variable = variables.pop(name)
        assert (variable["label"], variable["allValue"]) == (name.capitalize(), ".+")
        assert variable["multi"]
        assert variable["includeAll"]
        assert variable["refresh"] == 2  # when the time range changes
        assert variable["datasource"]["uid"] == "${datasource}"
        asked = re.fullmatch(r"label_values\((.+), (\w+)\)", variable["query"])
        assert asked is not None
        assert asked[2] == name
        assert selectors(asked[1])


@each_dashboard()
def test_a_dashboard_is_read_only_and_links_to_the_others(dashboard: dict[str, Any]) -> None:
    assert dashboard["editable"] is False
    others = {other["uid"] for other in dashboards().values()} - {dashboard["uid"]}
    assert {link["url"].split("?")[0].removeprefix("/d/") for link in dashboard["links"]} == others


@each_dashboard()
def test_panels_and_rows_have_ids_of_their_own_and_do_not_overlap(dashboard: dict[str, Any]) -> None:
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(ids)) == len(ids)
    cells = [
        (x, y)
        for panel in dashboard["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < 24


@each_panel()
def test_a_panel_says_what_it_shows_in_which_unit_and_where_there_is_more(panel: Panel) -> None:
    fields = panel.fields
    assert fields["title"]
    assert len(fields["description"]) > len(fields["title"]) // 2
    assert fields["fieldConfig"]["defaults"]["unit"] in UNITS
    assert fields["links"]
    linked = {link["url"].split("?")[0].removeprefix("/d/") for link in fields["links"]}
    assert linked <= {dashboard["uid"] for dashboard in dashboards().values()}


@each_panel()
def test_a_panel_and_its_queries_use_the_chosen_data_source(panel: Panel) -> None:
    sources = [panel.fields["datasource"], *(target["datasource"] for target in panel.fields["targets"])]
    assert {(source["type"], source["uid"]) for source in sources} == {("prometheus", "${datasource}")}
    assert len({target["refId"] for target in panel.fields["targets"]}) == len(panel.fields["targets"]) > 0


@each_panel()
def test_a_query_is_of_the_chosen_job_instance_and_tenant(panel: Panel) -> None:
    """Series that rules record are sums over instances and tenants: of those the job alone is chosen."""
    for expression in panel.expressions:
        for name, braces in re.findall(r"([a-z_:0-9]+)\{([^}]*)\}", expression):
            assert 'job=~"$job"' in braces
            if name not in recorded():
                assert 'instance=~"$instance"' in braces
        for selector in selectors(expression):
            labels = {matcher.name for matcher in selector.matchers.matchers}
            assert "job" in labels
            if re.match(r"auscult_(segments?|flags|signal_score)_", name_of(selector)):
                assert "tenant" in labels


@each_panel()
def test_a_rate_is_over_the_interval_that_grafana_chooses_and_no_counter_is_shown_raw(panel: Panel) -> None:
    for expression in panel.expressions:
        found = list(parts(expression))
        ranged = {
            name_of(part.vector_selector) for part in found if isinstance(part, promql_parser.MatrixSelector)
        }
        for selector in selectors(expression):
            if name_of(selector).endswith(("_total", "_bucket", "_sum", "_count")):
                assert name_of(selector) in ranged
        for function, interval in re.findall(r"(rate|increase|irate)\([^\[\]]+\[([^\]]+)\]", expression):
            assert interval == "$__rate_interval" or (function, interval) == ("increase", "$__range")


@pytest.mark.parametrize("path", DASHBOARD_FILES, ids=lambda path: path.stem)
def test_dashboard_linter_finds_nothing(path: Path) -> None:
    linter = on_path("dashboard-linter")
    output(linter, "lint", "--strict", "--config", DASHBOARDS / ".lint", path)


def test_every_variable_that_a_query_names_is_known() -> None:
    for panel in panels():
        for expression in panel.expressions:
            assert "$" not in filled(expression)
