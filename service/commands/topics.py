"""`auscult topics`: creates the topics that the service reads and writes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.settings import KafkaSettings

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]


def topics(config: ConfigFile = None) -> None:
    """Creates the topics that are missing; those that exist keep their settings. Prints what it created.

    Recognisers' own topics are not Auscult's to create.
    """
    from service.commands.failures import plain_failures
    from service.settings import load_settings

    with plain_failures():
        for name in asyncio.run(_create(load_settings(config).kafka)):
            typer.echo(name)


async def _create(kafka: "KafkaSettings") -> tuple[str, ...]:
    from service.kafka_errors import plain_kafka_failures
    from streams.administration import create_topics

    connection = kafka.connection()
    with plain_kafka_failures(connection):
        return await create_topics(
            connection,
            kafka.topics.names(),
            partitions=kafka.partitions,
            replication=kafka.replication,
        )
