"""`auscult forget`: removes what can be removed of a call, and says when the rest goes."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.settings import Settings

CallId = Annotated[str, typer.Argument(metavar="CALL", help="The call's id.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]
Bootstrap = Annotated[
    str | None,
    typer.Option("--bootstrap", help="host:port of brokers, comma-separated, instead of the settings'."),
]


def forget(call_id: CallId, config: ConfigFile = None, bootstrap: Bootstrap = None) -> None:
    """Removes a call's state; records of the other topics cannot be taken out one by one, and expire."""
    import logging

    from service.commands.failures import plain_failures
    from service.settings import load_settings

    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    with plain_failures():
        _forget(call_id, load_settings(config, bootstrap_servers=bootstrap))


def _forget(call_id: str, settings: "Settings") -> None:
    from service.kafka_errors import plain_kafka_failures
    from streams.forgetting import forget_state, retentions

    connection, names = settings.kafka.connection(), settings.kafka.topics.names()
    with plain_kafka_failures(connection):
        removed = asyncio.run(forget_state(connection, names.state, call_id))
        kept = asyncio.run(retentions(connection, names))
    typer.echo(f"{names.state}: " + ("state removed" if removed else "no state"))
    if removed:
        typer.echo("  the call had not ended: its next segment would write a state again")
    for topic, retention in kept.items():
        typer.echo(f"{topic}: {_expiry(retention)}")


def _expiry(retention: timedelta | None) -> str:
    if retention is None:
        return "kept until each record is replaced or removed"
    return (
        f"each record goes {retention.days} days after it was written"
        if retention.days
        else (f"each record goes {retention} after it was written")
    )
