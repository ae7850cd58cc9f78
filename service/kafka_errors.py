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
    except (SaslAuthenticationFailed, UnsupportedSaslMechanismError) as error:
        raise KafkaUnusable(f"{servers}: login refused ({type(error).__name__})") from None
    except KafkaConnectionError:
        raise KafkaUnusable(
            f"{servers}: no connection. Check kafka.bootstrap_servers, and whether the listener wants TLS or a login"
        ) from None
    except KafkaError as error:
        raise KafkaUnusable(f"{servers}: {type(error).__name__}") from None
