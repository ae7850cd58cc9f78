"""`auscult serve` in a process of its own, around the observer that computes nothing."""

import typer

import service.composition
from service.commands.serve import serve
from tests.service.live.conftest import PlainObserver

if __name__ == "__main__":
    service.composition.build_monitor = lambda *_given, **_named: PlainObserver()  # type: ignore[assignment]
    typer.run(serve)
