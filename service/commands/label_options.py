"""Options of the commands that take labels: where clinicians' labels, recorded calls and injected errors are."""

from pathlib import Path
from typing import Annotated

import typer

ImpactFile = Annotated[Path | None, typer.Option("--impact", help="Clinicians' impact labels, JSON Lines.")]
CallsFolder = Annotated[
    Path | None,
    typer.Option("--calls", help="Recorded calls that a person transcribed: they count as clean."),
]
InjectedFile = Annotated[
    Path | None, typer.Option("--injected", help="Errors injected into --calls, JSON Lines.")
]


def refuse_injected_alone(injected: Path | None, calls: Path | None) -> None:
    """Injected errors name segments of recorded calls.

    Raises:
        typer.BadParameter: there are injected errors without the calls.
    """
    if injected is not None and calls is None:
        raise typer.BadParameter("--injected needs the --calls that it refers to")
