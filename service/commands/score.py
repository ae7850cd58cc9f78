"""`auscult score`: assessments of recorded segments, without a broker."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

if TYPE_CHECKING:
    from service.observation import Observer
    from streams.decoding import Limits

InputFile = Annotated[
    Path | None, typer.Option("--input", "-i", help="Segments, JSON Lines. Default: standard input.")
]
OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Assessments, JSON Lines. Default: standard output.")
]
CallsFile = Annotated[Path | None, typer.Option("--calls", help="Writes one summary per call to this file.")]
RiskModelFile = Annotated[
    Path | None, typer.Option("--risk-model", help="Risk weights, as `auscult calibrate` writes.")
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]


def score(
    input_file: InputFile = None,
    output_file: OutputFile = None,
    calls_file: CallsFile = None,
    risk_model: RiskModelFile = None,
    config: ConfigFile = None,
) -> None:
    """Reads segments and writes one assessment for each, in the same order.

    A line that is no segment is reported on standard error by its number, the others are scored all the same,
    and the exit status is 1.
    """
    from service.commands.failures import plain_failures
    from service.composition import build_monitor
    from service.logs import configure_logs
    from service.settings import load_settings

    _refuse_same_file(input_file, output_file, calls_file)
    with plain_failures(), ExitStack() as files:
        settings = load_settings(config)
        configure_logs(settings.logs)
        source = files.enter_context(input_file.open("rb")) if input_file else sys.stdin.buffer
        monitor = build_monitor(settings, risk_model=risk_model)
        # Opened last: what cannot begin leaves earlier results as they are.
        sink = files.enter_context(output_file.open("wb")) if output_file else sys.stdout.buffer
        calls = files.enter_context(calls_file.open("wb")) if calls_file else None
        unreadable = _score(_with_progress(source), monitor, settings.limits.decoding(), sink, calls)
    if unreadable:
        raise typer.Exit(1)


def _refuse_same_file(*named: Path | None) -> None:
    files = [path.resolve() for path in named if path is not None and (path.is_file() or not path.exists())]
    if len(set(files)) < len(files):
        raise typer.BadParameter("--input, --output and --calls must be different files")


def _score(
    lines: Iterable[bytes], monitor: "Observer", limits: "Limits", sink: BinaryIO, calls: BinaryIO | None
) -> int:
    """Scores `lines` into `sink` and summaries into `calls`; returns how many lines could not be read."""
    from service.scoring import UnreadableLine, score_lines
    from streams.encoding import encode_assessment, encode_summary

    unreadable = 0

    def report(line: UnreadableLine) -> None:
        nonlocal unreadable
        unreadable += 1
        typer.echo(f"line {line.number}: {line.kind}{f' at {line.place}' if line.place else ''}", err=True)

    for observation in score_lines(lines, monitor, limits, report):
        sink.writelines(encode_assessment(assessment) + b"\n" for assessment in observation.assessments)
        sink.flush()
        if calls is not None:
            calls.writelines(encode_summary(summary) + b"\n" for summary in observation.summaries)
    return unreadable


def _with_progress(lines: BinaryIO) -> Iterator[bytes]:
    """The lines, counted on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield from lines
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed} segments"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("score", total=None)
        for line in lines:
            yield line
            progress.advance(task)
