"""The command line `auscult`: one file a command. Heavy imports stay inside commands, so that help is instant."""

import typer

from service.commands.score import score

app = typer.Typer(
    name="auscult",
    help="Reads live telehealth transcripts and tells people which calls were misheard.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # its tracebacks print local variables, and those hold transcript text
)
app.command()(score)


def main() -> None:
    """Runs the command line."""
    app()
