"""`auscult replay`: recorded calls, sent to Kafka in their own time."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.settings import Settings
    from streams.adapters.conversion import RecogniserFormat
    from streams.messages import Speaker
    from streams.replay import Progress, RecordedLine

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILES",
        help="Recorded calls: JSON Lines of segments; with --format of a recogniser's messages, a file for each call.",
    ),
]
Speed = Annotated[
    float,
    typer.Option("--speed", min=0.0, help="Recorded seconds per second; 0 or inf: as fast as possible."),
]
Bootstrap = Annotated[
    str | None,
    typer.Option("--bootstrap", help="host:port of brokers, comma-separated, instead of the settings'."),
]
CallPrefix = Annotated[
    str, typer.Option("--call-prefix", help="Put before each call id, to keep recordings of one call apart.")
]
Topic = Annotated[
    str | None, typer.Option("--topic", help="Where to, instead of the settings' segments topic.")
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="The recogniser whose messages the files hold; they are sent as segments."),
]
Channels = Annotated[
    list[str] | None,
    typer.Option("--channel", metavar="NAME=SPEAKER", help="Who speaks on a channel, such as 0=clinician."),
]
Labels = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="NAME=SPEAKER", help="Who a recogniser's speaker is, such as A=patient."),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]


def replay(
    files: Files,
    speed: Speed = 1.0,
    bootstrap: Bootstrap = None,
    call_prefix: CallPrefix = "",
    topic: Topic = None,
    format_: FormatName = None,
    channel: Channels = None,
    label: Labels = None,
    config: ConfigFile = None,
) -> None:
    """Sends recorded calls, all at once, each segment when its recogniser gave it, and then that the call ended."""
    from service.commands.failures import plain_failures
    from service.errors import AuscultError
    from service.settings import load_settings
    from streams.replay import InvalidRecording, read_recordings

    with plain_failures():
        recogniser = _recogniser_format(format_, channel or [], label or [])
        settings = load_settings(config, bootstrap_servers=bootstrap)
        try:
            lines = read_recordings(files, call_prefix, settings.limits.decoding(), recogniser)
        except InvalidRecording as error:
            raise AuscultError(str(error)) from None
        _replay(lines, settings, topic or settings.kafka.topics.names().segments, speed)


def _recogniser_format(
    name: str | None, channels: "Sequence[str]", labels: "Sequence[str]"
) -> "RecogniserFormat | None":
    from service.errors import AuscultError
    from streams.adapters.conversion import RecogniserFormat
    from streams.adapters.registry import ADAPTERS

    if name is None:
        if channels or labels:
            raise AuscultError("--channel and --label need --format")
        return None
    for known in ADAPTERS:
        if known == name:
            return RecogniserFormat(
                name=known, channels=_speakers("--channel", channels), labels=_speakers("--label", labels)
            )
    raise AuscultError(f"--format: one of {', '.join(ADAPTERS)}")


def _speakers(option: str, pairs: "Sequence[str]") -> "dict[str, Speaker]":
    from service.errors import AuscultError
    from streams.decoding import SPEAKERS

    speakers = {}
    for pair in pairs:
        name, _, speaker = pair.rpartition("=")
        if not name or speaker not in SPEAKERS:
            raise AuscultError(f"{option}: NAME=SPEAKER, the speaker one of {', '.join(SPEAKERS)}")
        speakers[name] = SPEAKERS[speaker]
    return speakers


def _replay(lines: "Sequence[RecordedLine]", settings: "Settings", topic: str, speed: float) -> None:
    from service.kafka_errors import plain_kafka_failures
    from streams.replay import Pace
    from streams.replay import replay as send

    # Whatever the client would log reaches us as an exception, and is then said in one line.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    connection = settings.kafka.connection()
    with plain_kafka_failures(connection), _progress(len(lines)) as report:
        sent = asyncio.run(send(lines, connection, topic, Pace(speed), report))
    typer.echo(f"{sent.segments} segments of {sent.calls} calls sent to {topic} and acknowledged", err=True)


@contextmanager
def _progress(total: int) -> "Iterator[Callable[[Progress], None]]":
    """A bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("segments", total=total)
        yield lambda progress: bar.update(
            task, completed=progress.segments, description=f"segments ({progress.calls} calls over)"
        )
