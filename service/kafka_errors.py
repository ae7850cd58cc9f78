"""Kafka's errors as one line that says what to look at."""

from collections.abc import Iterator
from contextlib import contextmanager

from aiokafka.errors import (
    KafkaConnectionError,
    KafkaError,
    SaslAuthenticationFailed,
    UnsupportedSaslMechanismError,
)

from service.errors import AuscultError
from streams.connection import Connection, InvalidConnection
from streams.diagnosis import handshake_failure, login_failure


class KafkaUnusable(AuscultError):
    """Kafka cannot be reached or does not let us in."""


@contextmanager
def plain_kafka_failures(connection: Connection) -> Iterator[None]:
    """Turns what the client raises into one plain line.

    Raises:
        KafkaUnusable: instead of the client's own errors.
    """
    servers = ", ".join(connection.bootstrap_servers)
    try:
        yield
    except InvalidConnection as error:
        raise KafkaUnusable(f"kafka.security: {error}") from None
    except KafkaConnectionError:
        raise KafkaUnusable(f"{servers}: {_why_no_connection(connection)}") from None
    except KafkaError as error:
        raise KafkaUnusable(f"{servers}: {type(error).__name__}") from None


def _why_no_connection(connection: Connection) -> str:
    handshake = handshake_failure(connection)
    if handshake is not None:
        return f"no TLS connection: {handshake}. Check kafka.security.ca_file and the broker's certificate"
    login = login_failure(connection)
    if isinstance(login, SaslAuthenticationFailed | UnsupportedSaslMechanismError):
        return f"login refused ({type(login).__name__}). Check kafka.security"
    return "no connection. Check kafka.bootstrap_servers, and whether the listener wants TLS or a login"
