"""The Dockerfile: clean by hadolint, and what the last stage holds and runs."""

import json
import re
import subprocess
import sys
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from deploy.chart import ROOT
from deploy.dockerfile import Stage, read_stages, variables
from models.store import open_store
from tests.helm.conftest import served_paths

__all__ = ["served_paths"]

DOCKERFILE = ROOT / "Dockerfile"


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return read_stages(DOCKERFILE.read_text())


def test_hadolint_has_nothing_to_say() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_base_has_a_version() -> None:
    arguments = dict(re.findall(r"^ARG (\w+)=(.+)$", DOCKERFILE.read_text(), re.MULTILINE))
    assert re.fullmatch(r"3\.11\.\d+-slim-\w+", arguments["PYTHON"])
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE)) == {
        "python:${PYTHON}",
        "runtime-${VARIANT}",
    }


def test_the_image_takes_over_what_runs_and_the_models_and_nothing_else(stages: list[Stage]) -> None:
    assert stages[-1].values("COPY") == [
        "--from=build /opt/venv /opt/venv",
        "--from=build /opt/cache /opt/cache",
    ]


def test_it_runs_as_a_user_that_kubernetes_sees_is_not_root(stages: list[Stage]) -> None:
    assert stages[-1].values("USER") == ["10001:10001"]


def test_models_are_verified_where_they_are_built(stages: list[Stage]) -> None:
    (build,) = (stage for stage in stages if stage.name == "build")
    assert build.values("RUN")[-1].endswith("auscult models verify")


def test_models_lie_where_the_service_looks_by_itself(
    stages: list[Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    (environment,) = stages[-1].values("ENV")
    monkeypatch.setenv("XDG_CACHE_HOME", variables(environment)["XDG_CACHE_HOME"])
    assert open_store(None).root == Path("/opt/cache/auscult/models")


def test_no_variable_of_the_image_stands_before_a_settings_file(stages: list[Stage]) -> None:
    names = [name for stage in stages for env in stage.values("ENV") for name in variables(env)]
    assert [name for name in names if name.startswith("AUSCULT_")] == []


def health_program(stages: list[Stage]) -> list[str]:
    (check,) = stages[-1].values("HEALTHCHECK")
    python, *program = json.loads(check.partition(" CMD ")[2])
    assert python == "python"
    return [sys.executable, *program]


@pytest.mark.parametrize("status", [200, 503])
def test_the_health_check_is_what_the_service_answers(
    stages: list[Stage], served_paths: set[str], status: int
) -> None:
    asked = []

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Service) as server:
        answering = Thread(target=server.handle_request)
        answering.start()
        environment = {"AUSCULT_HTTP__PORT": str(server.server_port)}
        done = subprocess.run(health_program(stages), env=environment, capture_output=True, check=False)
        answering.join()
    assert asked == ["/livez"]
    assert set(asked) <= served_paths
    assert (done.returncode == 0) == (status == 200)


def test_everything_that_is_copied_is_there_and_not_ignored(stages: list[Stage]) -> None:
    kept = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    (build,) = (stage for stage in stages if stage.name == "build")
    copied = {source for value in build.values("COPY") for source in value.split()[:-1]}
    assert copied == kept
    assert [source for source in copied if not (ROOT / source).exists()] == []


def test_what_is_copied_is_all_that_the_package_is_made_of(stages: list[Stage]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    (build,) = (stage for stage in stages if stage.name == "build")
    copied = {source for value in build.values("COPY") for source in value.split()[:-1]}
    assert {*packages, *project["project"]["license-files"], project["project"]["readme"]} <= copied


@pytest.mark.parametrize("variant", ["cpu", "cuda"])
def test_each_variant_has_its_stage_and_one_runtime(stages: list[Stage], variant: str) -> None:
    assert f"runtime-{variant}" in [stage.name for stage in stages]
    packages = (ROOT / "deploy" / "image" / f"{variant}.txt").read_text()
    assert len(re.findall(r"^onnxruntime", packages, re.MULTILINE)) == 1


def test_what_a_stage_says_is_read_across_lines_and_comments() -> None:
    (stage,) = read_stages("ARG A=1\nFROM base AS named\n# note\nRUN one \\\n    # why\n    && two\n")
    assert (stage.base, stage.name, stage.values("RUN")) == ("base", "named", ["one && two"])
