"""The broker of compose.yaml starts with its settings, and the topics are created on it as the service wants them."""

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiokafka.admin import AIOKafkaAdminClient

from benchmarks.apache_kafka.broker import ApacheKafka
from benchmarks.apache_kafka.jars import KafkaUnavailable, kafka_jars
from deploy.chart import ROOT
from streams.topics import TopicNames

SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def properties(folder: Path) -> dict[str, str]:
    """The image's own translation of its variables, with ports, names and folder of this machine."""
    ports = {port: str(free_port()) for port in ("9092", "9093", "29092")}

    def here(value: str) -> str:
        local = value.replace("kafka:9092", "localhost:9092").replace("//:", "//127.0.0.1:")
        return re.sub(r"(?<=:)(\d+)\b", lambda found: ports.get(found[1], found[1]), local)

    environment = SERVICES["kafka"]["environment"]
    made = {
        name.removeprefix("KAFKA_").lower().replace("_", "."): here(value)
        for name, value in environment.items()
    }
    return made | {"log.dirs": str(folder / "data")}


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    try:
        jars = kafka_jars()
    except KafkaUnavailable as error:
        pytest.skip(f"needs Apache Kafka: {error}")
    folder = tmp_path_factory.mktemp("compose")
    given = properties(folder)
    (folder / "server.properties").write_text("".join(f"{name}={value}\n" for name, value in given.items()))
    (port,) = re.findall(r"INSIDE://localhost:(\d+)", given["advertised.listeners"])
    running = ApacheKafka(folder, int(port), jars)
    running.format()
    running.start()
    yield running
    running.stop()


async def described(address: str) -> dict[str, Any]:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        return {topic["topic"]: topic["partitions"] for topic in await admin.describe_topics()}
    finally:
        await admin.close()


def test_the_topics_are_created_as_the_service_wants_them(broker: ApacheKafka) -> None:
    service = SERVICES["topics"]
    given = {**service["environment"], "AUSCULT_KAFKA__BOOTSTRAP_SERVERS": broker.address}
    command = [sys.executable, "-m", "service.commands", *service["command"]]
    done = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = asyncio.run(described(broker.address))
    partitions = int(given["AUSCULT_KAFKA__PARTITIONS"])
    names = TopicNames()
    assert {name: len(of) for name, of in made.items()} == {
        getattr(names, field): partitions for field in TopicNames.__dataclass_fields__
    }
