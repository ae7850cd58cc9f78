"""compose.yaml: what the schema cannot say. Every path, port and name in it is one that is there."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.chart import ROOT
from service.settings import ENVIRONMENT_PREFIX, load_settings

PROMETHEUS = ROOT / "deploy" / "compose" / "prometheus.yaml"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return dict(content["services"])


def ours(services: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (service for service in services.values() if service["image"].startswith("auscult:"))


def test_it_is_a_compose_file() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, ROOT / "compose.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_service_takes_its_settings(services: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for service in ours(services):
        for name, value in service["environment"].items():
            assert name.startswith(ENVIRONMENT_PREFIX)
            monkeypatch.setenv(name, value)
        kafka = load_settings().kafka
        (server,) = kafka.bootstrap_servers
        assert f"INSIDE://{server}" in services["kafka"]["environment"]["KAFKA_ADVERTISED_LISTENERS"]
        assert kafka.replication == 1


def test_it_has_longer_to_stop_than_it_may_take(services: dict[str, Any]) -> None:
    drain = load_settings().kafka.drain_seconds
    assert int(services["auscult"]["stop_grace_period"].removesuffix("s")) > drain


def test_everything_that_is_mounted_is_there(services: dict[str, Any]) -> None:
    mounted = [mount.split(":")[0] for service in services.values() for mount in service.get("volumes", ())]
    paths = [ROOT / path for path in mounted if path.startswith("./")]
    assert len(paths) == 5
    assert [path for path in paths if not path.exists()] == []


def test_nothing_can_be_reached_from_outside_the_machine(services: dict[str, Any]) -> None:
    published = [port for service in services.values() for port in service.get("ports", ())]
    assert len(published) == 4
    assert [port for port in published if not port.startswith("127.0.0.1:")] == []


def test_every_image_has_a_version(services: dict[str, Any]) -> None:
    tags = [service["image"].partition(":")[2] for service in services.values()]
    assert [tag for tag in tags if not any(character.isdigit() for character in tag)] == []


def test_the_broker_is_of_the_version_that_the_tests_run_against(services: dict[str, Any]) -> None:
    version = services["kafka"]["image"].partition(":")[2]
    assert f"<version>{version}</version>" in (ROOT / "benchmarks/apache_kafka/pom.xml").read_text()


def test_our_containers_have_no_rights(services: dict[str, Any]) -> None:
    for service in ours(services):
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]


def test_replayed_calls_are_where_they_are_looked_for(services: dict[str, Any]) -> None:
    (mount,) = services["replay"]["volumes"]
    source, target, _ = mount.split(":")
    assert f"{target}/*.jsonl" in services["replay"]["entrypoint"][-1]
    assert list((ROOT / source).glob("*.jsonl"))


def test_prometheus_scrapes_the_service_under_the_job_of_the_chart(services: dict[str, Any]) -> None:
    (scraped,) = yaml.safe_load(PROMETHEUS.read_text())["scrape_configs"]
    assert scraped["job_name"] == "auscult"
    assert scraped["static_configs"] == [{"targets": ["auscult:8080"]}]


def test_prometheus_takes_its_configuration() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("needs promtool, of Debian's package prometheus")
    done = subprocess.run(
        [promtool, "check", "config", "--syntax-only", str(PROMETHEUS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_grafana_finds_its_source_and_its_dashboards(services: dict[str, Any]) -> None:
    provisioning = ROOT / "deploy" / "compose" / "grafana"
    (source,) = yaml.safe_load((provisioning / "datasources/prometheus.yaml").read_text())["datasources"]
    (provider,) = yaml.safe_load((provisioning / "dashboards/auscult.yaml").read_text())["providers"]
    targets = {Path(mount.split(":")[1]) for mount in services["grafana"]["volumes"]}
    assert source["url"] == "http://prometheus:9090"
    assert Path(provider["options"]["path"]) in targets
