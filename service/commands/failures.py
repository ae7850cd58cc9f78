"""What a command prints when it fails: one plain line, and never a word of a transcript."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from models.errors import ModelUnavailable
from service.errors import AuscultError

EXPECTED_FAILURE = 2
UNEXPECTED_FAILURE = 70
"""Exit statuses: something that the user can mend; a defect (EX_SOFTWARE of sysexits.h)."""


@contextmanager
def plain_failures() -> Iterator[None]:
    """Turns failures into one line on standard error and a non-zero exit status.

    An unexpected exception is shown by its type and places alone, since its message may quote its input.
    """
    try:
        yield
    except (ModelUnavailable, AuscultError) as error:
        typer.echo(f"auscult: {error}", err=True)
        raise typer.Exit(EXPECTED_FAILURE) from None
    except BrokenPipeError:
        # The reader has enough; further writes at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(EXPECTED_FAILURE) from None
    except OSError as error:
        # Without a number of its own its message is of our making or a library's, and may hold anything.
        reason = error.strerror or type(error).__name__
        typer.echo(f"auscult: {error.filename or 'input or output'}: {reason}", err=True)
        raise typer.Exit(EXPECTED_FAILURE) from None
    except (typer.Exit, typer.Abort, KeyboardInterrupt):
        raise
    except Exception as error:  # noqa: BLE001 - reported without its message, which may hold transcript text
        places = "".join(traceback.format_tb(error.__traceback__))
        typer.echo(f"auscult: a defect ({type(error).__name__}), please report it:\n{places}", err=True)
        raise typer.Exit(UNEXPECTED_FAILURE) from None
