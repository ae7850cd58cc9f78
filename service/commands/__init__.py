"""The command line `auscult`: one file a command. Heavy imports stay inside commands, so that help is instant."""

from importlib.metadata import version
from typing import Annotated

import typer

from service.commands.calibrate import calibrate
from service.commands.dead_letters import dead_letters_app
from service.commands.demo import demo
from service.commands.evaluate import evaluate
from service.commands.forget import forget
from service.commands.models import models_app
from service.commands.perturb import perturb
from service.commands.replay import replay
from service.commands.score import score
from service.commands.serve import serve
from service.commands.topics import topics

app = typer.Typer(
    name="auscult",
    help="Reads live telehealth transcripts and tells people which calls were misheard.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # its tracebacks print local variables, and those hold transcript text
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(version("auscult"))
        raise typer.Exit


@app.callback()
def _everywhere(
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Reads live telehealth transcripts and tells people which calls were misheard."""


app.command()(demo)
app.command()(serve)
app.command()(topics)
app.command()(replay)
app.command()(score)
app.command()(calibrate)
app.command()(perturb)
app.command()(evaluate)
app.command()(forget)
app.add_typer(models_app, name="models")
app.add_typer(dead_letters_app, name="dead-letters")


def main() -> None:
    """Runs the command line."""
    app()
