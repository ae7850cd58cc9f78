"""`auscult serve`: the live service."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.live.app import LiveService
    from service.settings import Settings

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]
Check = Annotated[
    bool, typer.Option("--check", help="Print the effective settings, secrets hidden, and do nothing else.")
]


def serve(config: ConfigFile = None, check: Check = False) -> None:
    """Reads segments from Kafka, assesses them, and publishes assessments, flags and call summaries."""
    from service.commands.failures import plain_failures
    from service.settings import load_settings
    from service.settings_text import effective

    with plain_failures():
        settings = load_settings(config)
        if check:
            typer.echo(effective(settings), nl=False)
            return
        _serve(settings)


def _serve(settings: "Settings") -> None:
    from prometheus_client import CollectorRegistry

    from service.clock import Clock
    from service.composition import build_monitor
    from service.live.app import LiveService
    from service.logs import configure_logs
    from service.metrics import AllowedLabels, Metrics

    configure_logs(settings.logs)
    labels = settings.labels
    metrics = Metrics(
        CollectorRegistry(),
        AllowedLabels(frozenset(labels.tenant), frozenset(labels.asr_provider), frozenset(labels.asr_model)),
    )

    async def run() -> None:
        await _prepare_topics(settings)
        # Models are loaded before anything listens: a missing one ends the command with its remedy.
        monitor = await asyncio.to_thread(build_monitor, settings, meter=metrics)
        await _until_told(LiveService(settings, monitor, metrics, Clock()))

    asyncio.run(run())


async def _prepare_topics(settings: "Settings") -> None:
    from service.kafka_errors import KafkaUnusable, plain_kafka_failures
    from streams.administration import create_topics, missing_topics, partition_counts

    kafka = settings.kafka
    connection, names = kafka.connection(), kafka.topics.names()
    with plain_kafka_failures(connection):
        if kafka.create_topics:
            await create_topics(connection, names, partitions=kafka.partitions, replication=kafka.replication)
        written = (names.assessments, names.flags, names.calls, names.dead_letters, names.state)
        missing = await missing_topics(connection, (*kafka.input_topics(), *written))
    if missing:
        ours = set(missing) - set(kafka.recogniser_topics)
        remedy = "create it, or set kafka.create_topics = true" if ours else "create it"
        raise KafkaUnusable(f"no topic {', '.join(missing)}: {remedy}")
    with plain_kafka_failures(connection):
        counts = await partition_counts(connection, (*kafka.input_topics(), names.state))
    needed = max(counts[topic] for topic in kafka.input_topics())
    if counts[names.state] < needed:
        # A call's state is in the partition of the same number as its segments.
        raise KafkaUnusable(f"{names.state} has {counts[names.state]} partitions and needs {needed}")


async def _until_told(service: "LiveService") -> None:
    """Runs the service until SIGTERM or Ctrl-C, which let the poll in flight finish."""
    import signal

    import structlog

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, service.stop)
    log = structlog.get_logger(__name__)
    await service.run(lambda port: log.info("listening", port=port))
    log.info("stopped")
