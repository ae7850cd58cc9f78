"""How a panel, a row and a dashboard are made here, so that each says only what it shows.

Every panel has a description, a unit and a link to the dashboard that explains it further; every query is of the chosen
data source, job and instance, and of the chosen tenant where the metric knows tenants.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal, TypeAlias

from grafana_foundation_sdk.builders import bargauge, heatmap, stat, timeseries
from grafana_foundation_sdk.builders import common as common_options
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.builders.heatmap import HeatmapColorOptions
from grafana_foundation_sdk.builders.prometheus import Dataquery
from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.variants import Dataquery as DataqueryVariant
from grafana_foundation_sdk.models import common
from grafana_foundation_sdk.models.dashboard import (
    DashboardCursorSync,
    DashboardLinkType,
    DataSourceRef,
    Threshold,
    ThresholdsMode,
    VariableOption,
    VariableRefresh,
)
from grafana_foundation_sdk.models.heatmap import HeatmapColorMode
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

Unit = Literal["none", "short", "percentunit", "s", "bytes", "cps", "rps", "ops", "dateTimeFromNow"]
"""Grafana's names; cps, rps, ops: counts, records and operations a second."""

Panel: TypeAlias = timeseries.Panel | stat.Panel | heatmap.Panel | bargauge.Panel

_SOURCE: Final = DataSourceRef(type_val="prometheus", uid="${datasource}")
_WITH_TENANT: Final = ("auscult_segments_", "auscult_segment_", "auscult_flags_", "auscult_signal_score_")
_WIDTH: Final = 24
_HEIGHT: Final = 8
_VARIABLES: Final = "${__url_time_range}&${datasource:queryparam}&${job:queryparam}&${instance:queryparam}"


@dataclass(frozen=True, slots=True)
class Query:
    """One PromQL query of a panel, and what its series are called in the legend."""

    expression: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A row of a dashboard: its title and panels, from left to right; `across` of them fill the width."""

    title: str
    panels: Sequence[Panel]
    across: int = 2


@dataclass(frozen=True, slots=True)
class DashboardPlan:
    """What a dashboard is made of.

    Attributes:
        name: Of its file, and with `auscult-` before it of its address.
        hours: Shown at first.
        variables: Beside data source, job, instance and tenant.
    """

    name: str
    title: str
    description: str
    sections: Sequence[Section]
    hours: int = 6
    variables: Sequence[board.QueryVariable] = field(default=())


def of(metric: str, *matchers: str) -> str:
    """A selector of a metric for the chosen job and instance, and tenant where the metric has one."""
    chosen = ['job=~"$job"', 'instance=~"$instance"']
    if metric.startswith(_WITH_TENANT):
        chosen.append('tenant=~"$tenant"')
    return f"{metric}{{{', '.join([*chosen, *matchers])}}}"


def rate(metric: str, *matchers: str) -> str:
    """How fast a counter grows, a second."""
    return f"rate({of(metric, *matchers)}[$__rate_interval])"


def per(numerator: str, denominator: str, *, by: str = "") -> str:
    """The share of one counter's rate in another's, by some labels.

    Args:
        numerator: A rate.
        denominator: A rate.
        by: Labels of both, separated by commas.
    """
    grouped = f" by ({by})" if by else ""
    return f"sum{grouped} ({numerator}) / sum{grouped} ({denominator})"


def mean(histogram: str, *matchers: str, by: str = "") -> str:
    """The mean of what a histogram observed."""
    return per(rate(f"{histogram}_sum", *matchers), rate(f"{histogram}_count", *matchers), by=by)


def quantiles(histogram: str, *matchers: str, by: str = "", legend: str = "") -> list[Query]:
    """Median, 95th and 99th percentile of what a histogram observed."""
    labels = f"le, {by}" if by else "le"
    buckets = f"sum by ({labels}) ({rate(f'{histogram}_bucket', *matchers)})"
    return [
        Query(f"histogram_quantile({quantile}, {buckets})", f"{name} {legend}".strip())
        for quantile, name in ((0.5, "median"), (0.95, "95%"), (0.99, "99%"))
    ]


def series(
    title: str,
    description: str,
    unit: Unit,
    *queries: Query,
    link: str,
    stacked: common.StackingMode | None = None,
    highest: float | None = None,
) -> timeseries.Panel:
    """Lines over time.

    Args:
        title: Of the panel.
        description: What it shows and how to read it.
        unit: Of its values.
        queries: One or more.
        link: Name of the dashboard that explains it further.
        stacked: How the series add up, if they do.
        highest: End of the axis, which begins at 0.
    """
    panel = timeseries.Panel().title(title).description(description).unit(unit).min(0)
    panel = panel.targets(_targets(queries)).datasource(_SOURCE).links([_link(link)])
    panel = panel.line_width(1).fill_opacity(10 if stacked is None else 40)
    panel = panel.show_points(common.VisibilityMode.NEVER).legend(
        common_options.VizLegendOptions()
        .show_legend(True)
        .display_mode(common.LegendDisplayMode.LIST)
        .placement(common.LegendPlacement.BOTTOM)
    )
    panel = panel.tooltip(
        common_options.VizTooltipOptions()
        .mode(common.TooltipDisplayMode.MULTI)
        .sort(common.SortOrder.DESCENDING)
    )
    if highest is not None:
        panel = panel.max(highest)
    if stacked is not None:
        panel = panel.stacking(common_options.StackingConfig().mode(stacked))
    return panel


def number(
    title: str, description: str, unit: Unit, query: Query, *, link: str, alarming: float | None = None
) -> stat.Panel:
    """One number as it is now; red from `alarming` on."""
    steps = [Threshold(value=None, color="green")]
    if alarming is not None:
        steps.append(Threshold(value=alarming, color="red"))
    thresholds = board.ThresholdsConfig().mode(ThresholdsMode.ABSOLUTE).steps(steps)
    panel = stat.Panel().title(title).description(description).unit(unit).no_value("none")
    panel = panel.targets([_target(query)]).datasource(_SOURCE).links([_link(link)]).thresholds(thresholds)
    return panel.graph_mode(common.BigValueGraphMode.AREA).color_mode(common.BigValueColorMode.VALUE)


def ranking(
    title: str, description: str, unit: Unit, query: Query, *, link: str, highest: float
) -> bargauge.Panel:
    """Bars as they are now, one a series."""
    panel = bargauge.Panel().title(title).description(description).unit(unit).min(0).max(highest)
    panel = panel.targets([_target(query).instant()]).datasource(_SOURCE).links([_link(link)])
    return panel.orientation(common.VizOrientation.HORIZONTAL)


def heat(title: str, description: str, histogram: str, *matchers: str, link: str) -> heatmap.Panel:
    """How what a histogram observed is spread, over time."""
    query = Query(
        f"sum by (le) (increase({of(f'{histogram}_bucket', *matchers)}[$__rate_interval]))", "{{le}}"
    )
    panel = heatmap.Panel().title(title).description(description).unit("short")
    panel = panel.targets([_target(query).format(PromQueryFormat.HEATMAP)]).datasource(_SOURCE)
    return panel.links([_link(link)]).color(
        HeatmapColorOptions().mode(HeatmapColorMode.SCHEME).scheme("Blues").steps(64)
    )


def chosen(name: str, label: str, query: str, *, many: bool = True) -> board.QueryVariable:
    """A variable whose values Prometheus knows.

    Args:
        name: As queries call it.
        label: As people read it.
        query: Such as `label_values(up, job)`.
        many: Whether several may be chosen, and all are at first.
    """
    variable = board.QueryVariable(name).label(label).query(query).datasource(_SOURCE)
    variable = variable.refresh(VariableRefresh.ON_TIME_RANGE_CHANGED).multi(many).include_all(many)
    if not many:
        return variable
    return variable.all_value(".+").current(VariableOption(selected=True, text="All", value="$__all"))


def dashboard_json(plan: DashboardPlan, links: Sequence[tuple[str, str]]) -> str:
    """The dashboard as Grafana reads it.

    Args:
        plan: What it is made of.
        links: Name and title of each of the other dashboards.
    """
    built = board.Dashboard(plan.title).uid(_address(plan.name)).description(plan.description)
    built = built.tags(["auscult"]).readonly().tooltip(DashboardCursorSync.CROSSHAIR)
    built = built.time(f"now-{plan.hours}h", "now").refresh("30s").timezone("browser")
    built = built.variables([*_variables(), *plan.variables])
    built = built.links([_link(name, title) for name, title in links])
    ids = count(1)
    for section in plan.sections:
        built = built.with_row(board.Row(section.title).id(next(ids)))
        for panel in section.panels:
            built = built.with_panel(panel.id(next(ids)).span(_WIDTH // section.across).height(_HEIGHT))
    return JSONEncoder(sort_keys=True, indent=2).encode(built.build()) + "\n"


def _variables() -> list[board.DatasourceVariable | board.QueryVariable]:
    return [
        board.DatasourceVariable("datasource").label("Data source").type("prometheus"),
        chosen("job", "Job", "label_values(auscult_build_info, job)"),
        chosen("instance", "Instance", 'label_values(auscult_build_info{job=~"$job"}, instance)'),
        chosen("tenant", "Tenant", 'label_values(auscult_segments_total{job=~"$job"}, tenant)'),
    ]


def _targets(queries: Sequence[Query]) -> list[Builder[DataqueryVariant]]:
    return [_target(query).ref_id(chr(ord("A") + place)) for place, query in enumerate(queries)]


def _target(query: Query) -> Dataquery:
    return Dataquery().expr(query.expression).legend_format(query.legend).datasource(_SOURCE).ref_id("A")


def _link(name: str, title: str | None = None) -> board.DashboardLink:
    words = title or f"More: {name.replace('_', ' ')}"
    link = board.DashboardLink(words).type(DashboardLinkType.LINK).tooltip(words)
    return link.url(f"/d/{_address(name)}?{_VARIABLES}").keep_time(False)


def _address(name: str) -> str:
    return f"auscult-{name.replace('_', '-')}"
