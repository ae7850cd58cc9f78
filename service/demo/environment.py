"""The settings that the demo's service runs with: your models and thresholds, the demo's broker and labels."""

import os
import socket
from collections.abc import Mapping

from service.settings import (
    ENVIRONMENT_PREFIX,
    HttpSettings,
    KafkaSettings,
    LabelSettings,
    LogSettings,
    Settings,
)

LOOPBACK = "127.0.0.1"


def demo_settings(own: Settings, broker: str, port: int) -> Settings:
    """Settings for the embedded broker. Nothing of your own Kafka (servers, logins, topics) is used.

    Args:
        own: Your settings, for models and thresholds.
        broker: Address of the embedded broker, `host:port`.
        port: Where the service answers HTTP.
    """
    kafka = KafkaSettings(
        bootstrap_servers=(broker,),
        group="auscult-demo",
        create_topics=True,
        partitions=4,
        replication=1,
        # The embedded broker knows no idempotent producers.
        idempotence=False,
        session_seconds=6.0,
        heartbeat_seconds=1.0,
    )
    labels = LabelSettings(
        tenant=("demo",), asr_provider=("northwind", "halyard"), asr_model=("stream-en-2", "clinical-en-1")
    )
    return own.model_copy(
        update={
            "kafka": kafka,
            "labels": labels,
            "http": HttpSettings(host=LOOPBACK, port=port),
            "logs": LogSettings(format="console", level="warning"),
        }
    )


def process_environment(settings: Settings, inherited: Mapping[str, str] | None = None) -> dict[str, str]:
    """Environment of a process that is to run with these settings: one variable for each section, as JSON."""
    environment = os.environ if inherited is None else inherited
    kept = {name: value for name, value in environment.items() if not name.startswith(ENVIRONMENT_PREFIX)}
    sections = {
        f"{ENVIRONMENT_PREFIX}{name.upper()}": getattr(settings, name).model_dump_json()
        for name in type(settings).model_fields
    }
    return kept | sections


def free_port(wanted: int) -> int:
    """The wanted port if it is free on the loopback interface, else any that is."""
    for port in (wanted, 0):
        try:
            with socket.create_server((LOOPBACK, port)) as server:
                free: int = server.getsockname()[1]
                return free
        except OSError:
            continue
    raise OSError(f"no free port on {LOOPBACK}")
