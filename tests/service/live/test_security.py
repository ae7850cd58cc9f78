"""Logins and certificates, on listeners of a real Apache Kafka: they work, or it is said in a line what is wrong."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from pydantic import SecretStr
from typer.testing import CliRunner

from benchmarks.apache_kafka.broker import ApacheKafka, Listener, apache_kafka, free_ports
from benchmarks.apache_kafka.jars import KafkaUnavailable
from service.commands import app
from service.settings import SecuritySettings
from tests.kafka import everything, segment, send
from tests.service.live.conftest import Bench, PlainObserver, new_bench, until

USER, PASSWORD = "auscult", "right-and-proper"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"


class Secured:
    """A broker with a listener of each kind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scram, self.tls, self.scram_tls, self.expired = free_ports(4)
        authority = trustme.CA()
        self.ca_file = folder / "ca.pem"
        authority.cert_pem.write_to_path(str(self.ca_file))
        self.other_ca_file = folder / "other-ca.pem"
        trustme.CA().cert_pem.write_to_path(str(self.other_ca_file))
        good = _keystore(folder / "good.pem", authority.issue_cert("127.0.0.1"))
        yesterday = datetime.now(UTC) - timedelta(days=1)
        old = _keystore(folder / "old.pem", authority.issue_cert("127.0.0.1", not_after=yesterday))
        self.listeners = [
            Listener("SCRAM", "SASL_PLAINTEXT", self.scram, _scram("scram")),
            Listener("TLS", "SSL", self.tls, _tls("tls", good)),
            Listener("BOTH", "SASL_SSL", self.scram_tls, _scram("both") | _tls("both", good)),
            Listener("EXPIRED", "SSL", self.expired, _tls("expired", old)),
        ]


def _scram(listener: str) -> dict[str, str]:
    prefix = f"listener.name.{listener}"
    return {
        f"{prefix}.sasl.enabled.mechanisms": "SCRAM-SHA-512",
        f"{prefix}.scram-sha-512.sasl.jaas.config": SCRAM,
    }


def _tls(listener: str, keystore: Path) -> dict[str, str]:
    prefix = f"listener.name.{listener}.ssl.keystore"
    return {f"{prefix}.type": "PEM", f"{prefix}.location": str(keystore)}


def _keystore(file: Path, issued: trustme.LeafCert) -> Path:
    """Certificate and key in the one form that Kafka reads."""
    key = load_pem_private_key(issued.private_key_pem.bytes(), None)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(pem + b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    return file


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Secured:
    return Secured(tmp_path_factory.mktemp("secured"))


@pytest.fixture(scope="module")
def broker(secured: Secured) -> Iterator[ApacheKafka]:
    scram = ("--add-scram", f"SCRAM-SHA-512=[name={USER},password={PASSWORD}]")
    try:
        with apache_kafka(secured.folder, secured.listeners, scram) as running:
            yield running
    except KafkaUnavailable as error:
        pytest.skip(f"needs Apache Kafka: {error}")


@pytest.fixture
async def secured_bench(broker: ApacheKafka) -> Bench:
    return await new_bench(broker.address)


def login(password: str = PASSWORD, **changes: object) -> SecuritySettings:
    fields = {"mechanism": "SCRAM-SHA-512", "username": USER, "password": SecretStr(password)}
    return SecuritySettings.model_validate(fields | changes)


@pytest.mark.parametrize("delivery", ["at_least_once", "exactly_once"])
@pytest.mark.parametrize("listener", ["scram", "tls", "scram_tls"])
async def test_segments_are_assessed_over_a_secured_listener(
    secured_bench: Bench, secured: Secured, listener: str, delivery: str
) -> None:
    encrypted: dict[str, Any] = {"tls": True, "ca_file": secured.ca_file} if "tls" in listener else {}
    security = login(**encrypted) if "scram" in listener else SecuritySettings.model_validate(encrypted)
    server = f"127.0.0.1:{getattr(secured, listener)}"
    settings = secured_bench.settings(bootstrap_servers=(server,), security=security, delivery=delivery)
    observer = PlainObserver()
    async with secured_bench.service(observer, settings):
        await send(secured_bench.address, secured_bench.names.segments, [segment(0), segment(1)])
        await until(lambda: sum(observer.batches) == 2)
    address, assessments = secured_bench.address, secured_bench.names.assessments
    assert len(await everything(address, assessments, committed_only=True)) == 2


def serve(monkeypatch: pytest.MonkeyPatch, port: int, host: str = "127.0.0.1", **security: object) -> str:
    """Standard error of `auscult serve` that cannot begin."""
    monkeypatch.setattr("service.logs.configure_logs", lambda _: None)
    monkeypatch.setenv("AUSCULT_KAFKA__BOOTSTRAP_SERVERS", f"{host}:{port}")
    for name, value in security.items():
        monkeypatch.setenv(f"AUSCULT_KAFKA__SECURITY__{name.upper()}", str(value))
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert PASSWORD not in result.output
    return result.stderr


SCRAM_LOGIN = {"mechanism": "SCRAM-SHA-512", "username": USER, "password": PASSWORD}


@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize(
    "wrong", [{"password": "wrong"}, {"username": "nobody"}, {"mechanism": "SCRAM-SHA-256"}], ids=str
)
def test_a_login_that_is_refused_is_said(
    secured: Secured, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str]
) -> None:
    said = serve(monkeypatch, secured.scram, **(SCRAM_LOGIN | wrong))
    assert f"127.0.0.1:{secured.scram}: login refused" in said


@pytest.mark.usefixtures("broker")
def test_a_certificate_of_an_unknown_authority_is_said(
    secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = serve(monkeypatch, secured.tls, tls=True, ca_file=secured.other_ca_file)
    assert "no TLS connection: unable to get local issuer certificate" in said


@pytest.mark.usefixtures("broker")
def test_a_certificate_that_has_expired_is_said(secured: Secured, monkeypatch: pytest.MonkeyPatch) -> None:
    said = serve(monkeypatch, secured.expired, tls=True, ca_file=secured.ca_file)
    assert "no TLS connection: certificate has expired" in said


@pytest.mark.usefixtures("broker")
def test_a_certificate_of_another_host_is_said(secured: Secured, monkeypatch: pytest.MonkeyPatch) -> None:
    said = serve(monkeypatch, secured.tls, "localhost", tls=True, ca_file=secured.ca_file)
    assert "no TLS connection: Hostname mismatch, certificate is not valid for 'localhost'" in said


def test_a_listener_without_tls_is_said(
    broker: ApacheKafka, secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = serve(monkeypatch, broker.port, tls=True, ca_file=secured.ca_file)
    assert f"127.0.0.1:{broker.port}: no TLS connection: " in said


@pytest.mark.usefixtures("broker")
def test_a_listener_that_wants_tls_is_hinted_at(secured: Secured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "whether the listener wants TLS or a login" in serve(monkeypatch, secured.tls)


def test_nobody_listening_is_not_taken_for_a_wrong_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    ca_file = tmp_path / "ca.pem"
    trustme.CA().cert_pem.write_to_path(str(ca_file))
    assert "no connection. Check kafka.bootstrap_servers" in serve(
        monkeypatch, port, tls=True, ca_file=ca_file
    )
