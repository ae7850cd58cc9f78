"""What the chart writes down is what the service reads: its own model loads it, and its own numbers fit."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.chart import CHART
from service.live.app import HTTP_GRACE_SECONDS
from service.settings import ENVIRONMENT_PREFIX, Settings, load_settings
from tests.helm.rendering import VALUE_SETS, Object, rendered

SECRET = "from-a-secret"  # noqa: S105 - a test's


def pod_of(one: Object) -> Object:
    pod: Object = one["spec"]["template"]["spec"]
    return pod


def loaded(
    owner: Object, objects: tuple[Object, ...], folder: Path, environment: pytest.MonkeyPatch
) -> Settings:
    """The settings that a container starts with: its variables, and the file that they name."""
    (container,) = pod_of(owner)["containers"]
    variables = {each["name"]: each.get("value", SECRET) for each in container["env"]}
    file = Path(variables.pop("AUSCULT_CONFIG"))
    mount = next(each for each in container["volumeMounts"] if each["mountPath"] == str(file.parent))
    volume = next(each for each in pod_of(owner)["volumes"] if each["name"] == mount["name"])
    named = volume["configMap"]["name"]
    (content,) = (
        each["data"][file.name]
        for each in objects
        if each["kind"] == "ConfigMap" and each["metadata"]["name"] == named
    )
    config = folder / file.name
    config.write_text(content)
    for name, value in variables.items():
        assert name.startswith(ENVIRONMENT_PREFIX)
        environment.setenv(name, value)
    return load_settings(config)


@pytest.mark.parametrize("values", VALUE_SETS)
def test_the_service_and_the_topics_job_take_the_settings(
    values: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = rendered(values)
    for owner in (*objects.of("Deployment"), *objects.of("Job")):
        settings = loaded(owner, objects.objects, tmp_path, monkeypatch)
        given = values_file(values).get("settings", {})
        assert_same(given, settings.model_dump(mode="json"))


def values_file(values: str) -> Any:
    if values == "default":
        return {}
    return yaml.safe_load((CHART / "ci" / f"{values}-values.yaml").read_text())


def assert_same(given: Any, taken: Any) -> None:
    """Everything that was asked for is what the service takes; an empty text stands for nothing."""
    if isinstance(given, dict):
        for name, value in given.items():
            assert_same(value, taken[name])
    else:
        assert taken == (given if given != "" else None)


def test_the_values_are_the_products_own_defaults() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())["settings"]
    values["kafka"].pop("bootstrap_servers")
    assert_same(values, Settings().model_dump(mode="json"))


@pytest.mark.parametrize("values", VALUE_SETS)
def test_port_topics_and_group_are_the_services_own(
    values: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = rendered(values)
    deployment = objects.one("Deployment")
    settings = loaded(deployment, objects.objects, tmp_path, monkeypatch)
    (container,) = pod_of(deployment)["containers"]
    assert container["ports"] == [{"name": "http", "containerPort": settings.http.port}]
    for scaler in objects.of("ScaledObject"):
        triggers = [trigger["metadata"] for trigger in scaler["spec"]["triggers"]]
        assert tuple(each["topic"] for each in triggers) == settings.kafka.input_topics()
        assert {each["consumerGroup"] for each in triggers} == {settings.kafka.group}
        assert scaler["spec"]["maxReplicaCount"] <= settings.kafka.partitions


@pytest.mark.parametrize("values", VALUE_SETS)
def test_a_pod_is_not_killed_while_the_service_stops(
    values: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = rendered(values)
    settings = loaded(objects.one("Deployment"), objects.objects, tmp_path, monkeypatch)
    grace = pod_of(objects.one("Deployment"))["terminationGracePeriodSeconds"]
    assert grace >= settings.kafka.drain_seconds + HTTP_GRACE_SECONDS


def test_login_and_certificates_reach_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = rendered("everything")
    security = loaded(objects.one("Deployment"), objects.objects, tmp_path, monkeypatch).kafka.security
    login, encryption = security.login(), security.encryption()
    assert login is not None
    assert encryption is not None
    assert (login.username, login.password, encryption.key_password) == (SECRET, SECRET, SECRET)
    mounts = pod_of(objects.one("Deployment"))["containers"][0]["volumeMounts"]
    (folder,) = (Path(each["mountPath"]) for each in mounts if each["name"] == "tls")
    assert {encryption.ca_file, encryption.certificate_file, encryption.key_file} == {
        folder / "ca.crt",
        folder / "tls.crt",
        folder / "tls.key",
    }
