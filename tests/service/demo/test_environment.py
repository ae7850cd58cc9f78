import socket

import pytest
from pydantic import SecretStr

from service.demo.environment import LOOPBACK, demo_settings, free_port, process_environment
from service.settings import KafkaSettings, ModelSettings, SecuritySettings, Settings, load_settings

OWN = Settings(
    kafka=KafkaSettings(
        bootstrap_servers=("kafka.example:9093",),
        group="production",
        security=SecuritySettings(mechanism="PLAIN", username="monitor", password=SecretStr("a-password")),
    ),
    models=ModelSettings(threads=1),
)


def test_the_service_process_reads_the_very_settings_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = demo_settings(OWN, "127.0.0.1:4711", 4712)
    for name, value in process_environment(settings, {}).items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


def test_your_own_models_are_used_and_your_own_broker_is_not() -> None:
    settings = demo_settings(OWN, "127.0.0.1:4711", 4712)
    assert settings.models == OWN.models
    assert settings.monitor == OWN.monitor
    assert settings.kafka.bootstrap_servers == ("127.0.0.1:4711",)
    assert settings.kafka.security == SecuritySettings()
    assert settings.kafka.group != "production"


def test_your_own_variables_do_not_reach_the_service_process() -> None:
    inherited = {"AUSCULT_CONFIG": "production.toml", "AUSCULT_KAFKA__GROUP": "production", "PATH": "/bin"}
    environment = process_environment(demo_settings(OWN, "127.0.0.1:4711", 4712), inherited)
    assert environment["PATH"] == "/bin"
    assert "AUSCULT_CONFIG" not in environment
    assert "AUSCULT_KAFKA__GROUP" not in environment
    assert not any("a-password" in value for value in environment.values())


def test_the_service_listens_on_the_loopback_interface_only() -> None:
    assert demo_settings(OWN, "127.0.0.1:4711", 4712).http.host == LOOPBACK


def test_a_taken_port_is_replaced_by_a_free_one() -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        assert free_port(port) != port


def test_a_free_port_is_taken_as_wished() -> None:
    with socket.create_server((LOOPBACK, 0)) as once:
        port = once.getsockname()[1]
    assert free_port(port) == port
