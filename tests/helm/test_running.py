"""What the chart would start, started: topics by the Job, then the service, asked by its probes and stopped."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.store import ModelStore
from tests.helm.rendering import Object, rendered
from tests.kafka import broker_address

__all__ = ["broker_address"]

LOOK_SECONDS = 0.2


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def objects(broker_address: str, port: int) -> dict[str, Object]:
    """The chart for the test's broker, which knows no idempotent producers, and beside it no name of another test's."""
    given = {
        "topics.enabled": "true",
        "settings.kafka.bootstrap_servers": f"{{{broker_address}}}",
        "settings.kafka.group": f"chart-{port}",
        "settings.kafka.topics.prefix": f"chart-{port}.",
        "settings.kafka.partitions": "2",
        "settings.kafka.replication": "1",
        "settings.kafka.idempotence": "false",
        "settings.kafka.session_seconds": "6",
        "settings.kafka.heartbeat_seconds": "1",
        "settings.http.port": str(port),
    }
    options = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
    made = rendered("default", *options)
    return {
        "Deployment": made.one("Deployment"),
        "Job": made.one("Job"),
        "ConfigMap": made.of("ConfigMap")[0],
    }


@pytest.fixture
def environment(objects: dict[str, Object], tmp_path: Path, built_models: ModelStore) -> dict[str, str]:
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    config = tmp_path / "auscult.toml"
    config.write_text(objects["ConfigMap"]["data"]["auscult.toml"])
    ours = {"AUSCULT_CONFIG": str(config), "AUSCULT_MODELS__STORE": str(built_models.root)}
    return {**os.environ, **variables, **ours}


def command(owner: Object) -> list[str]:
    (container,) = owner["spec"]["template"]["spec"]["containers"]
    return [sys.executable, "-m", "service.commands", *container["args"]]


def answer(port: int, probe: Object) -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{probe['httpGet']['path']}", timeout=2) as got:
            return int(got.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0


def answers(port: int, probe: Object, seconds: float) -> Iterator[int]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield answer(port, probe)
        time.sleep(LOOK_SECONDS)


def test_the_service_becomes_ready_by_its_probes_and_stops_within_its_grace(
    objects: dict[str, Object], environment: dict[str, str], port: int
) -> None:
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    startup, readiness = container["startupProbe"], container["readinessProbe"]
    subprocess.run(command(objects["Job"]), env=environment, check=True, capture_output=True)
    with subprocess.Popen(
        command(objects["Deployment"]), env=environment, stderr=subprocess.DEVNULL
    ) as service:
        try:
            allowed = startup["periodSeconds"] * startup["failureThreshold"]
            assert 200 in answers(port, startup, allowed)
            assert 200 in answers(port, readiness, 60)
            service.send_signal(signal.SIGTERM)
            assert service.wait(pod["terminationGracePeriodSeconds"]) == 0
        finally:
            service.kill()
