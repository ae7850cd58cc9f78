"""Every object that the chart makes is one that Kubernetes takes, for every set of values."""

import json
from pathlib import Path

import jsonschema
import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from deploy.chart import CHART
from tests.helm.rendering import KUBERNETES, VALUE_SETS, Object, Rendered, helm, rendered, values_of

SCHEMAS = Path(__file__).parent / "schemas"
OLDEST, NEWEST = "1.27", kubernetes_validate.latest_version()
"""The oldest Kubernetes that the chart says it runs on, and the newest whose schemas are at hand."""

ALWAYS = {"ConfigMap", "Deployment", "Service"}
USUALLY = ALWAYS | {"NetworkPolicy", "PodDisruptionBudget", "ServiceAccount"}
KINDS = {
    "default": USUALLY,
    "minimal": ALWAYS,
    "gpu": USUALLY,
    "production": USUALLY
    | {"Job", "PrometheusRule", "ScaledObject", "ServiceMonitor", "TriggerAuthentication"},
    "everything": USUALLY | {"HorizontalPodAutoscaler", "Job", "PrometheusRule", "ServiceMonitor"},
}
"""What each set of values makes. TriggerAuthentication, ScaledObject, ServiceMonitor, PrometheusRule are custom."""


def custom_schema(kind: str) -> Path:
    return SCHEMAS / f"{kind.lower()}.json"


def check(one: Object, version: str) -> None:
    schema = custom_schema(one["kind"])
    if schema.is_file():
        jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(one)
    else:
        kubernetes_validate.validate(one, version, strict=True)


@pytest.mark.parametrize("values", VALUE_SETS)
def test_every_set_of_values_makes_the_objects_that_it_should(values: str) -> None:
    assert {each["kind"] for each in rendered(values).objects} == KINDS[values]


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize("values", VALUE_SETS)
def test_every_object_is_valid(values: str, version: str) -> None:
    for one in rendered(values).objects:
        check(one, version)


@pytest.mark.parametrize("values", VALUE_SETS)
def test_lint_has_nothing_to_say(values: str) -> None:
    done = helm("lint", str(CHART), "--strict", "--kube-version", KUBERNETES, *values_of(values))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("kind", ["Deployment", "ScaledObject"])
def test_a_field_that_does_not_exist_would_be_noticed(kind: str) -> None:
    one = json.loads(json.dumps(rendered("production").one(kind)))
    one["spec"]["replicaz"] = 1
    with pytest.raises(jsonschema.ValidationError, match="replicaz"):
        check(one, NEWEST)


@pytest.mark.parametrize("values", VALUE_SETS)
def test_names_are_unique_and_everything_that_is_named_is_there(values: str) -> None:
    objects = rendered(values).objects
    names = [(each["kind"], each["metadata"]["name"]) for each in objects]
    assert len(set(names)) == len(names)
    deployment = rendered(values).one("Deployment")
    pod = deployment["spec"]["template"]["spec"]
    mounted = {volume["configMap"]["name"] for volume in pod["volumes"] if "configMap" in volume}
    assert mounted <= {name for kind, name in names if kind == "ConfigMap"}
    for kind in ("ScaledObject", "HorizontalPodAutoscaler"):
        for scaler in rendered(values).of(kind):
            assert scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]


@pytest.mark.parametrize("values", VALUE_SETS)
def test_selectors_choose_the_pods_that_assess_and_no_others(values: str) -> None:
    objects = rendered(values)
    labels = objects.one("Deployment")["spec"]["template"]["metadata"]["labels"]
    selectors = [objects.one("Deployment")["spec"]["selector"]["matchLabels"]]
    selectors += [each["spec"]["selector"] for each in objects.of("Service")]
    selectors += [each["spec"]["selector"]["matchLabels"] for each in objects.of("PodDisruptionBudget")]
    for selector in selectors:
        assert selector.items() <= labels.items()
        for job in objects.of("Job"):
            assert not selector.items() <= job["spec"]["template"]["metadata"]["labels"].items()


def test_every_probe_asks_for_what_the_service_answers(served_paths: set[str]) -> None:
    (container,) = rendered("default").one("Deployment")["spec"]["template"]["spec"]["containers"]
    asked = {container[f"{probe}Probe"]["httpGet"]["path"] for probe in ("startup", "liveness", "readiness")}
    (endpoint,) = rendered("production").one("ServiceMonitor")["spec"]["endpoints"]
    assert asked == {"/livez", "/readyz"}
    assert asked | {endpoint["path"]} <= served_paths


def test_a_change_of_settings_replaces_the_pods() -> None:
    def checksum(of: Rendered) -> str:
        template = of.one("Deployment")["spec"]["template"]
        return str(template["metadata"]["annotations"]["checksum/settings"])

    same = rendered("default", "--set", "replicas=2")
    other = rendered("default", "--set", "settings.kafka.group=other")
    assert checksum(rendered("default")) == checksum(same) != checksum(other)


def test_rules_and_dashboards_arrive_as_they_are() -> None:
    objects = rendered("production")
    dashboards = {
        name: json.loads(content)
        for each in objects.of("ConfigMap")
        if each["metadata"]["labels"].get("grafana_dashboard") == "1"
        for name, content in each["data"].items()
    }
    rules = [each["spec"] for each in objects.of("PrometheusRule")]
    files = CHART / "files"
    assert dashboards == {path.name: json.loads(path.read_text()) for path in files.glob("dashboards/*.json")}
    assert rules == [yaml.safe_load(path.read_text()) for path in sorted(files.glob("rules/*.yaml"))]
    assert len(dashboards) >= 3
    assert rules


@pytest.mark.parametrize("values", ["production", "everything"])
def test_no_dashboard_is_too_large_for_a_config_map(values: str) -> None:
    for one in rendered(values).of("ConfigMap"):
        assert len(json.dumps(one["data"])) < 1_000_000
