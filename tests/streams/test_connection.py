"""The connection to Kafka: options for every kind of client, and clear errors before anything connects."""

import ssl
from pathlib import Path

import pytest

from streams.connection import Connection, Encryption, InvalidConnection, Login, Mechanism

PASSWORD = "correct horse"  # noqa: S105 - a test's


def test_plain_text_without_login_needs_no_security() -> None:
    connection = Connection(("a:9092", "b:9092"))
    assert connection.security() is None
    assert connection.client_options() == {"bootstrap_servers": ["a:9092", "b:9092"], "client_id": "auscult"}


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_a_login_over_tls(mechanism: Mechanism) -> None:
    connection = Connection(("a:9092",), login=Login(mechanism, "monitor", PASSWORD), encryption=Encryption())
    options = connection.client_options()
    assert options["security_protocol"] == "SASL_SSL"
    assert options["sasl_mechanism"] == mechanism
    assert options["sasl_plain_password"] == PASSWORD
    assert options["ssl_context"].verify_mode is ssl.CERT_REQUIRED
    assert options["ssl_context"].check_hostname


def test_a_login_without_tls_and_tls_without_a_login() -> None:
    login = Connection(("a:9092",), login=Login("PLAIN", "monitor", PASSWORD))
    assert login.client_options()["security_protocol"] == "SASL_PLAINTEXT"
    encrypted = Connection(("a:9092",), encryption=Encryption())
    assert encrypted.client_options()["security_protocol"] == "SSL"


def test_no_repr_shows_a_password() -> None:
    connection = Connection(
        ("a:9092",), login=Login("PLAIN", "monitor", PASSWORD), encryption=Encryption(key_password=PASSWORD)
    )
    assert PASSWORD not in repr(connection)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("not a certificate")
    missing = tmp_path / "missing.pem"
    for encryption, named in [
        (Encryption(ca_file=missing), "missing.pem: no such file"),
        (Encryption(ca_file=broken), "broken.pem: no certificate authority"),
        (Encryption(certificate_file=missing), "missing.pem: no such file"),
        (Encryption(certificate_file=broken, key_password=PASSWORD), "broken.pem: not a certificate"),
        (Encryption(key_file=broken), "no certificate file"),
    ]:
        with pytest.raises(InvalidConnection, match=named) as caught:
            Connection(("a:9092",), encryption=encryption).security()
        assert PASSWORD not in str(caught.value)
