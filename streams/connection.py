"""How to reach Kafka: where it is, who we are, and how the connection is encrypted.

The settings are made of these, so that the client libraries are imported only where something connects.
"""

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from faststream.security import BaseSecurity

Mechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]


class InvalidConnection(Exception):
    """The settings of the connection contradict each other or name a file that cannot be used."""


@dataclass(frozen=True, slots=True)
class Login:
    """SASL: who we are."""

    mechanism: Mechanism
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Encryption:
    """TLS: whom we trust, and optionally our own certificate.

    Attributes:
        ca_file: Certificates of the authorities that we trust, PEM; None: those of the system.
        certificate_file: Our certificate, PEM, when the broker asks for one.
        key_file: The certificate's private key, PEM; None: it is in `certificate_file`.
        key_password: Of an encrypted private key.
    """

    ca_file: Path | None = None
    certificate_file: Path | None = None
    key_file: Path | None = None
    key_password: str | None = field(default=None, repr=False)

    def context(self) -> ssl.SSLContext:
        """What the client checks the broker with, host name included.

        Raises:
            InvalidConnection: a file is missing or holds no certificate or key.
        """
        context = _trusting(self.ca_file)
        if self.certificate_file is None:
            if self.key_file is not None:
                raise InvalidConnection("a TLS key file is set, but no certificate file")
            return context
        _require_files(self.certificate_file, self.key_file)
        try:
            # An empty password instead of None: OpenSSL would ask for it on the terminal.
            context.load_cert_chain(self.certificate_file, self.key_file, self.key_password or "")
        except ssl.SSLError:
            raise InvalidConnection(
                f"{self.certificate_file}: not a certificate with its private key (or a wrong key password)"
            ) from None
        return context


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach Kafka, for every kind of client.

    Attributes:
        bootstrap_servers: `host:port` of one broker or more.
        client_id: What the brokers' logs call us.
        login: None: no authentication.
        encryption: None: plain text.
    """

    bootstrap_servers: tuple[str, ...]
    client_id: str = "auscult"
    login: Login | None = None
    encryption: Encryption | None = None

    def security(self) -> "BaseSecurity | None":
        """Login and encryption as FastStream takes them.

        Raises:
            InvalidConnection: a certificate file cannot be used.
        """
        from faststream.security import BaseSecurity, SASLPlaintext, SASLScram256, SASLScram512

        mechanisms = {"PLAIN": SASLPlaintext, "SCRAM-SHA-256": SASLScram256, "SCRAM-SHA-512": SASLScram512}
        context = None if self.encryption is None else self.encryption.context()
        if self.login is None:
            return None if context is None else BaseSecurity(ssl_context=context, use_ssl=True)
        return mechanisms[self.login.mechanism](
            username=self.login.username,
            password=self.login.password,
            ssl_context=context,
            use_ssl=context is not None,
        )

    def client_options(self) -> dict[str, Any]:
        """Options for aiokafka's own consumer, producer and admin client.

        Raises:
            InvalidConnection: a certificate file cannot be used.
        """
        from faststream.kafka.security import parse_security

        return {
            "bootstrap_servers": list(self.bootstrap_servers),
            "client_id": self.client_id,
            **parse_security(self.security()),
        }


def _trusting(ca_file: Path | None) -> ssl.SSLContext:
    _require_files(ca_file)
    try:
        return ssl.create_default_context(cafile=None if ca_file is None else str(ca_file))
    except ssl.SSLError:
        raise InvalidConnection(f"{ca_file}: no certificate authority in PEM form") from None


def _require_files(*files: Path | None) -> None:
    for file in files:
        if file is not None and not file.is_file():
            raise InvalidConnection(f"{file}: no such file")
