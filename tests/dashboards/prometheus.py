"""A real Prometheus on a service: its configuration, its process, and questions to it."""

import asyncio
import json
import math
import re
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from service.demo.environment import LOOPBACK, free_port
from tests.dashboards.expressions import RULE_FILES

JOB = "auscult"
START_SECONDS = 60.0
INTERVAL = "2s"
DATA = "data"
"""Folder of what Prometheus keeps, in its own."""


@dataclass(frozen=True)
class Prometheus:
    """A Prometheus that answers."""

    url: str

    def series(self, expression: str) -> list[dict[str, Any]]:
        """What an expression gives now: each series' labels and value; series without a number are left out."""
        found: list[dict[str, Any]] = self.get("query", query=expression)["result"]
        return [one for one in found if not math.isnan(float(one["value"][1]))]

    def number(self, expression: str) -> float:
        """The value of an expression's only series; 0 where it gives none."""
        return sum(float(one["value"][1]) for one in self.series(expression))

    def get(self, path: str, **parameters: str) -> Any:
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{query}", timeout=30) as answer:  # noqa: S310
            return json.load(answer)["data"]

    async def until(self, expression: str, at_least: float, seconds: float) -> None:
        """Returns once an expression gives as much; fails when it does not in time."""
        async with asyncio.timeout(seconds):
            while await asyncio.to_thread(self.number, expression) < at_least:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.2)


@asynccontextmanager
async def running_prometheus(program: Path, folder: Path, target: str) -> AsyncIterator[Prometheus]:
    """Runs Prometheus with the rules; every group is evaluated with each scrape, for a test has no minutes."""
    port = free_port(0)
    rules = [_hurried(path, folder) for path in RULE_FILES]
    configuration = {
        "global": {"scrape_interval": INTERVAL, "scrape_timeout": INTERVAL, "evaluation_interval": INTERVAL},
        "rule_files": [str(path) for path in rules],
        "scrape_configs": [{"job_name": JOB, "static_configs": [{"targets": [target]}]}],
    }
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(configuration))
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program,
            f"--config.file={folder / 'prometheus.yaml'}",
            f"--storage.tsdb.path={folder / DATA}",
            "--storage.tsdb.retention.time=60d",
            f"--web.listen-address={LOOPBACK}:{port}",
            stdout=log,
            stderr=log,
        )
    prometheus = Prometheus(f"http://{LOOPBACK}:{port}")
    try:
        await _ready(prometheus, process)
        yield prometheus
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def _hurried(path: Path, folder: Path) -> Path:
    hurried = folder / path.name
    hurried.write_text(re.sub(r"^    interval: .*\n", "", path.read_text("utf-8"), flags=re.MULTILINE))
    return hurried


async def _ready(prometheus: Prometheus, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(START_SECONDS):
        while not await asyncio.to_thread(_answers, prometheus.url):
            assert process.returncode is None, "Prometheus ended: its log is beside its configuration"
            await asyncio.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/-/ready", timeout=2) as answer:  # noqa: S310 - a local http address
            return bool(answer.status == 200)
    except OSError:
        return False
