"""A replica of the service in a process of its own: started, stopped, killed."""

import asyncio
import http.client
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.apache_kafka.broker import free_ports
from service.demo.environment import process_environment
from service.settings import HttpSettings, Settings

READY_SECONDS: Final = 90.0
_PAUSE_SECONDS: Final = 0.05


class ReplicaFailed(Exception):
    """A replica ended or did not become ready. Names its log."""


@dataclass
class Replica:
    """One process of `auscult serve`.

    Attributes:
        settings: Of the service; its port is chosen anew for each start.
        log: Where it writes.
        module: What is run.
        environment: Further variables.
    """

    settings: Settings
    log: Path
    module: str = "benchmarks.faults.serve_with_fakes"
    environment: dict[str, str] = field(default_factory=dict)
    _process: asyncio.subprocess.Process | None = None
    _port: int = 0

    @property
    def pid(self) -> int:
        """Of the running process."""
        assert self._process is not None  # noqa: S101 - it was started
        return self._process.pid

    @property
    def url(self) -> str:
        """Where it answers HTTP, once it is started."""
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        """Starts the process; returns at once."""
        (self._port,) = free_ports(1)
        http_settings = HttpSettings(host="127.0.0.1", port=self._port)
        environment = process_environment(self.settings.model_copy(update={"http": http_settings}))
        arguments = ["serve"] if self.module == "service.commands" else []
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self.module,
                *arguments,
                env={**environment, **self.environment},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def ready(self) -> float:
        """Waits until it says that it is ready; returns when, seconds since 1970.

        Raises:
            ReplicaFailed: it ended, or took longer than `READY_SECONDS`.
        """
        deadline = time.monotonic() + READY_SECONDS
        while await asyncio.to_thread(self._status, "/readyz") != http.client.OK:
            if self.ended or time.monotonic() > deadline:
                raise ReplicaFailed(f"not ready; see {self.log}")
            await asyncio.sleep(_PAUSE_SECONDS)
        return time.time()

    async def says_ready(self) -> bool:
        """Whether its readiness probe says so."""
        return await asyncio.to_thread(self._status, "/readyz") == http.client.OK

    async def alive(self) -> bool:
        """Whether its liveness probe says so."""
        return await asyncio.to_thread(self._status, "/livez") == http.client.OK

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process is None or self._process.returncode is not None

    async def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Holds the process still, as a machine does that swaps or a container that is throttled."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)

    async def stop(self) -> float:
        """SIGTERM; returns how long it took to go, in seconds.

        Raises:
            ReplicaFailed: it had ended before, or did not go within its time.
        """
        if self._process is None or self.ended:
            raise ReplicaFailed(f"ended before it was told to; see {self.log}")
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(self.settings.kafka.drain_seconds + 5):
                await self._process.wait()
        except TimeoutError:
            await self.kill()
            raise ReplicaFailed(f"did not go in time; see {self.log}") from None
        return time.monotonic() - began

    def _status(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=2)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()
