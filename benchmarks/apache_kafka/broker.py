"""One broker: started, stopped, killed, and started again with the same data on the same port."""

import asyncio
import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from benchmarks.apache_kafka.jars import KafkaUnavailable, java, kafka_jars

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.05
_JVM: Final = ("-Xms96m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_NODE: Final = 1


@dataclass(frozen=True)
class Listener:
    """A further way in.

    Attributes:
        name: Of the listener.
        protocol: Kafka's security protocol, such as `SASL_SSL`.
        port: On the loopback interface.
        options: Further settings of the broker, with the listener's name in them where they are its own.
    """

    name: str
    protocol: str
    port: int
    options: dict[str, str] = field(default_factory=dict)


@dataclass
class ApacheKafka:
    """A broker and its controller in one process (KRaft).

    Attributes:
        folder: Its settings, data and log.
        port: Of the plain listener.
    """

    folder: Path
    port: int
    _jars: Path
    _process: "subprocess.Popen[bytes] | None" = None

    @property
    def address(self) -> str:
        """`host:port` of the plain listener."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts the process and returns once it answers with itself as the one node of its cluster.

        Raises:
            KafkaUnavailable: it ended, or did not answer within `START_SECONDS`.
        """
        with (self.folder / "broker.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - Java with settings of our own
                self._command("kafka.Kafka", str(self.folder / "server.properties")),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            asyncio.run(self._answering())
        except KafkaUnavailable:
            self.kill()
            raise

    def stop(self) -> None:
        """Lets it shut down in order."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """SIGKILL: nothing is written or said any more."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def format(self, *arguments: str) -> None:
        """Prepares the data folder, as Kafka wants it before the first start.

        Raises:
            KafkaUnavailable: it could not be prepared.
        """
        cluster = uuid.uuid4().hex[:22]
        properties = str(self.folder / "server.properties")
        command = self._command(
            "kafka.tools.StorageTool", "format", "-t", cluster, "-c", properties, *arguments
        )
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
        if done.returncode:
            raise KafkaUnavailable(
                f"the broker's storage could not be formatted: {done.stderr.decode()[-500:]}"
            )

    def _command(self, *arguments: str) -> list[str]:
        return [java(), *_JVM, "-cp", f"{self._jars}/*", *arguments]

    async def _answering(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                raise KafkaUnavailable(f"Apache Kafka ended at once; see {self.folder / 'broker.log'}")
            if await _nodes(self.address) == [_NODE]:
                return
            await asyncio.sleep(_POLL_SECONDS)
        raise KafkaUnavailable(f"Apache Kafka did not answer within {START_SECONDS:g} s")


@contextmanager
def apache_kafka(
    folder: Path, listeners: Sequence[Listener] = (), format_arguments: Sequence[str] = ()
) -> Iterator[ApacheKafka]:
    """Runs a broker for as long as the context lasts.

    Args:
        folder: Where its settings, data and log go; must exist.
        listeners: Ways in beside the plain one.
        format_arguments: For Kafka's storage tool, such as `--add-scram`.

    Raises:
        KafkaUnavailable: there is no Java or Maven, or it does not start.
    """
    port, controller = free_ports(2)
    broker = ApacheKafka(folder, port, kafka_jars())
    (folder / "server.properties").write_text(_properties(folder / "data", port, controller, listeners))
    broker.format(*format_arguments)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()
        shutil.rmtree(folder / "data", ignore_errors=True)


def free_ports(count: int) -> list[int]:
    """Ports on the loopback interface on which nobody listens now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def _properties(data: Path, port: int, controller: int, listeners: Sequence[Listener]) -> str:
    plain = Listener("PLAIN", "PLAINTEXT", port)
    brokers = [plain, *listeners]
    settings = {
        "process.roles": "broker,controller",
        "node.id": str(_NODE),
        "controller.quorum.voters": f"{_NODE}@127.0.0.1:{controller}",
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": plain.name,
        "listeners": ",".join(
            [f"{one.name}://127.0.0.1:{one.port}" for one in brokers]
            + [f"CONTROLLER://127.0.0.1:{controller}"]
        ),
        "advertised.listeners": ",".join(f"{one.name}://127.0.0.1:{one.port}" for one in brokers),
        "listener.security.protocol.map": ",".join(
            ["CONTROLLER:PLAINTEXT", *(f"{one.name}:{one.protocol}" for one in brokers)]
        ),
        "log.dirs": str(data),
        "auto.create.topics.enable": "false",
        "offsets.topic.num.partitions": "4",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.num.partitions": "4",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
        "group.min.session.timeout.ms": "1000",
        # A killed broker is taken back once its session is over.
        "broker.session.timeout.ms": "2000",
        "broker.heartbeat.interval.ms": "500",
        "log.cleaner.dedupe.buffer.size": str(8 * 1024 * 1024),
    }
    for one in listeners:
        settings |= one.options
    return "".join(f"{name}={value}\n" for name, value in settings.items())


async def _nodes(address: str) -> list[int]:
    """The nodes of the cluster behind an address; none while it does not answer."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address, request_timeout_ms=2_000)
    try:
        await admin.start()
        cluster = await admin.describe_cluster()
    except (KafkaError, OSError):
        return []
    finally:
        await admin.close()
    return [broker["node_id"] for broker in cluster["brokers"]]
