"""The real service, `auscult serve`, in a process of its own."""

import asyncio
import http.client
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from service.demo.environment import process_environment
from service.errors import AuscultError
from service.settings import Settings

T = TypeVar("T")

START_SECONDS = 120.0
PROBE_PAUSE_SECONDS = 0.1
LOG_TAIL_CHARACTERS = 4_000


class DemoServiceFailed(AuscultError):
    """The service ended, or did not become ready. The message carries the end of its log, which holds no text."""


@dataclass(frozen=True, slots=True)
class ServiceProcess:
    """The running service.

    Attributes:
        url: Where it answers HTTP.
    """

    url: str
    _address: tuple[str, int]
    _process: asyncio.subprocess.Process
    _log: IO[bytes]

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    async def ready(self) -> None:
        """Returns when the service is warm and has its partitions.

        Raises:
            DemoServiceFailed: it ended, or took longer than `START_SECONDS`.
        """
        try:
            async with asyncio.timeout(START_SECONDS):
                while not await asyncio.to_thread(_answers_ready, *self._address):
                    if self._process.returncode is not None:
                        raise self._failure("ended before it was ready")
                    await asyncio.sleep(PROBE_PAUSE_SECONDS)
        except TimeoutError:
            raise self._failure(f"was not ready within {START_SECONDS:g} s") from None

    async def while_running(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of some work that needs the service.

        Raises:
            DemoServiceFailed: it ended before the work was done.
        """
        task = asyncio.ensure_future(work)
        ended = asyncio.ensure_future(self._process.wait())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise self._failure("ended too early")
            return task.result()
        finally:
            ended.cancel()
            task.cancel()
            await asyncio.gather(task, ended, return_exceptions=True)

    def _failure(self, what: str) -> DemoServiceFailed:
        self._log.seek(0)
        tail = self._log.read().decode(errors="replace")[-LOG_TAIL_CHARACTERS:].strip()
        return DemoServiceFailed(f"the service {what}; its log ends with\n{tail}")


@asynccontextmanager
async def service_process(settings: Settings) -> AsyncIterator[ServiceProcess]:
    """Runs the service for as long as the context lasts, also when it is left by Ctrl-C."""
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "service.commands",
            "serve",
            env=process_environment(settings),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # Its own group: Ctrl-C reaches the demo alone, which then ends it in order.
            start_new_session=True,
        )
        address = (settings.http.host, settings.http.port)
        try:
            yield ServiceProcess(f"http://{address[0]}:{address[1]}", address, process, log)
        finally:
            await _stop(process, settings.kafka.drain_seconds)


async def _stop(process: asyncio.subprocess.Process, seconds: float) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await process.wait()
    finally:
        # It does not end, or the user will not wait: nothing is left behind either way.
        if process.returncode is None:
            process.kill()
            await process.wait()


def _answers_ready(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
