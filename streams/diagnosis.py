"""Why there is no connection: the client tries every broker, says in its log what was wrong, and raises one error."""

import asyncio
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from aiokafka.conn import create_conn
from aiokafka.errors import KafkaError

from streams.connection import Connection

PROBE_SECONDS: Final = 5.0
_CLOSED: Final = "the connection was closed in the handshake"


def handshake_failure(connection: Connection) -> str | None:
    """Why TLS does not come about with the first broker that can be reached.

    Returns:
        OpenSSL's reason, such as `certificate has expired`; None when TLS is not used, or is not what is wrong.

    Raises:
        InvalidConnection: a certificate file cannot be used.
    """
    if connection.encryption is None:
        return None
    context = connection.encryption.context()
    for host, port in _servers(connection):
        try:
            plain = socket.create_connection((host, port), PROBE_SECONDS)
        except OSError:
            continue
        with plain:
            return _refused_handshake(plain, context, host)
    return None


def _refused_handshake(plain: socket.socket, context: ssl.SSLContext, host: str) -> str | None:
    try:
        with context.wrap_socket(plain, server_hostname=host):
            return None
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except ssl.SSLError as error:
        return error.reason or _CLOSED
    except OSError:
        # A listener without TLS takes the first bytes for a request beyond all bounds, and hangs up.
        return _CLOSED


def login_failure(connection: Connection) -> KafkaError | None:
    """What the first broker that answers says to the login; None when there is none, or it is not what is wrong.

    Raises:
        InvalidConnection: a certificate file cannot be used.
    """
    if connection.login is None:
        return None
    options = connection.client_options()
    options.pop("bootstrap_servers")
    # In a thread of its own: whoever asks may have a loop that runs.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _login_failure(connection, options)).result()


async def _login_failure(connection: Connection, options: dict[str, Any]) -> KafkaError | None:
    for host, port in _servers(connection):
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                connected = await create_conn(host, port, **options)
        except KafkaError as error:
            return error
        except (OSError, TimeoutError):
            continue
        connected.close()
        return None
    return None


def _servers(connection: Connection) -> list[tuple[str, int]]:
    split = (server.rpartition(":") for server in connection.bootstrap_servers)
    return [(host, int(port)) for host, _, port in split]
