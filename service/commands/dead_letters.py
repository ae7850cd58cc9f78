"""`auscult dead-letters`: what could not be read, and sending it back."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.settings import Settings
    from streams.dead_letter_topic import WrittenDeadLetter

dead_letters_app = typer.Typer(
    help="Shows records that could not be read, and sends them back.", no_args_is_help=True
)

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]
Bootstrap = Annotated[
    str | None,
    typer.Option("--bootstrap", help="host:port of brokers, comma-separated, instead of the settings'."),
]
Kind = Annotated[str | None, typer.Option("--kind", help="Only letters of this error, such as not_json.")]


@dead_letters_app.command("list")
def list_dead_letters(
    kind: Kind = None,
    text: Annotated[
        bool, typer.Option("--text", help="Show the records themselves: patient data, on your screen.")
    ] = False,
    config: ConfigFile = None,
    bootstrap: Bootstrap = None,
) -> None:
    """Shows each dead letter: where it was read and why it was refused; not what it says, unless asked."""
    from service.commands.failures import plain_failures

    with plain_failures():
        letters = _of_kind(_read(_settings(config, bootstrap)), kind)
        for letter in letters:
            typer.echo(_line(letter))
            if text:
                typer.echo(f"    {letter.value.decode('utf-8', 'backslashreplace')}")
        typer.echo(f"{len(letters)} dead letters", err=True)


@dead_letters_app.command("replay")
def replay_dead_letters(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[PARTITION:OFFSET]...", help="Which, as listed.")
    ] = None,
    kind: Kind = None,
    repaired: Annotated[
        Path | None,
        typer.Option("--repaired", help="Send this file's content instead of the record's; for one letter."),
    ] = None,
    config: ConfigFile = None,
    bootstrap: Bootstrap = None,
) -> None:
    """Sends dead letters back to where they were read: those that are named, or all of a kind.

    They go with the headers that they had. What is sent twice is dropped as repeated, or is a dead letter again.
    """
    from service.commands.failures import plain_failures
    from service.kafka_errors import plain_kafka_failures
    from streams.dead_letter_topic import send_back

    with plain_failures():
        settings = _settings(config, bootstrap)
        chosen = _chosen(_read(settings), names or [], kind)
        if repaired is not None:
            chosen = [_repaired(chosen, repaired.read_bytes())]
        sendable = [letter for letter in chosen if letter.whole and letter.origin_topic]
        connection = settings.kafka.connection()
        with plain_kafka_failures(connection):
            asyncio.run(send_back(connection, sendable))
        typer.echo(f"{len(sendable)} sent back", err=True)
        if len(sendable) < len(chosen):
            typer.echo(f"{len(chosen) - len(sendable)} were cut when they were written: not sent", err=True)


def _settings(config: Path | None, bootstrap: str | None) -> "Settings":
    import logging

    from service.settings import load_settings

    # Whatever the client would log reaches us as an exception, and is then said in one line.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    return load_settings(config, bootstrap_servers=bootstrap)


def _read(settings: "Settings") -> "list[WrittenDeadLetter]":
    from service.kafka_errors import plain_kafka_failures
    from streams.dead_letter_topic import read_dead_letters

    connection = settings.kafka.connection()
    with plain_kafka_failures(connection):
        return asyncio.run(read_dead_letters(connection, settings.kafka.topics.names().dead_letters))


def _of_kind(letters: "Iterable[WrittenDeadLetter]", kind: str | None) -> "list[WrittenDeadLetter]":
    return [letter for letter in letters if kind is None or letter.headers.get("error-kind") == kind]


def _chosen(
    letters: "Sequence[WrittenDeadLetter]", names: Sequence[str], kind: str | None
) -> "list[WrittenDeadLetter]":
    from service.errors import AuscultError

    if bool(names) == (kind is not None):
        raise AuscultError("name letters as PARTITION:OFFSET, or give --kind")
    if kind is not None:
        return _of_kind(letters, kind)
    known = {letter.name: letter for letter in letters}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise AuscultError(f"no dead letter {', '.join(unknown)}")
    return [known[name] for name in names]


def _repaired(chosen: "Sequence[WrittenDeadLetter]", value: bytes) -> "WrittenDeadLetter":
    from dataclasses import replace

    from service.errors import AuscultError

    if len(chosen) != 1:
        raise AuscultError("--repaired is for one letter")
    (letter,) = chosen
    headers = {name: text for name, text in letter.headers.items() if name != "truncated-value-bytes"}
    return replace(letter, value=value.strip(), headers=headers)


def _line(letter: "WrittenDeadLetter") -> str:
    from datetime import UTC, datetime

    at = datetime.fromtimestamp(letter.written_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    say = letter.headers.get
    origin = f"{say('origin-topic')}:{say('origin-partition')}:{say('origin-offset')}"
    place = f" at {say('error-place')}" if say("error-place") else ""
    adapter = f" ({say('error-adapter')})" if say("error-adapter") else ""
    size = say("truncated-value-bytes") or str(len(letter.value))
    return f"{letter.name}  {at}  {say('error-kind')}{place}{adapter}  from {origin}  {size} bytes"
