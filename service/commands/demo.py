"""`auscult demo`: everything on this machine, from one command."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from service.demo.run import DemoOptions
    from service.settings import Settings

Speed = Annotated[
    float, typer.Option("--speed", min=0.1, help="How many times faster than they were spoken.")
]
Calls = Annotated[
    str | None, typer.Option("--calls", help="Names of consultations, comma-separated. Default: all.")
]
Port = Annotated[int, typer.Option("--port", min=0, max=65_535, help="Of the service's HTTP, if it is free.")]
KeepRunning = Annotated[
    bool, typer.Option("--keep-running", help="Leave the service up when the calls are over, until Ctrl-C.")
]

DEFAULT_SPEED = 30.0
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


def demo(
    speed: Speed = DEFAULT_SPEED, calls: Calls = None, port: Port = 8080, keep_running: KeepRunning = False
) -> None:
    """Replays bundled consultations through an embedded broker and the real service, and shows what is flagged.

    At the end it says which known errors were found, which were missed, and what was flagged for nothing.
    """
    from service.commands.failures import plain_failures
    from service.demo.bundle import consultation_names
    from service.demo.run import DemoOptions
    from service.settings import load_settings

    names = tuple(dict.fromkeys(map(str.strip, calls.split(",")))) if calls else consultation_names()
    with plain_failures():
        _demo(DemoOptions(names, speed, port, keep_running), load_settings())


def _demo(options: "DemoOptions", settings: "Settings") -> None:
    from service.demo.run import build_models, run_demo
    from service.demo.screen import Screen, open_console

    screen = Screen(open_console())
    try:
        build_models(settings.models, screen)
        asyncio.run(_ending_in_order(run_demo(options, settings, screen)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        screen.say("Ended.")
        raise typer.Exit(INTERRUPTED) from None


async def _ending_in_order(work: Coroutine[Any, Any, object]) -> None:
    """Runs the work so that SIGTERM ends it as Ctrl-C does: together with its broker and its service."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await work
