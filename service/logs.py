"""Structured logs, for our own code and for the libraries. They never hold transcript text, at any level.

Our own code logs counts, types and places only. Libraries are held to that in two ways: aiokafka, whose debug level
prints whole requests with their records, is never heard below info; and an exception is written as its type
and the places it passed, without its message, also where asyncio would show it within a task's repr.
"""

import logging
import sys
import traceback
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor

from service.log_repeats import RepeatsFilter
from service.settings import LogSettings

_QUIET: Final[dict[str, int]] = {
    "aiokafka": logging.INFO,
    "faststream": logging.INFO,
    "asyncio": logging.WARNING,
    "uvicorn.access": logging.WARNING,
}
"""The most talkative level at which each library says nothing of what it carries."""


def configure_logs(settings: LogSettings) -> None:
    """Sends every log record of the process through one formatter to standard error."""
    level = logging.getLevelNamesMapping()[settings.level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_messages,
        _without_tasks,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.addFilter(RepeatsFilter("aiokafka"))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.PositionalArgumentsFormatter(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(settings)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name, quietest in _QUIET.items():
        logging.getLogger(name).setLevel(max(level, quietest))


def _renderer(settings: LogSettings) -> Processor:
    if settings.format == "json":
        return structlog.processors.JSONRenderer()
    return structlog.dev.ConsoleRenderer()


def _without_messages(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Replaces an exception by its type and places: its message may quote what it was given."""
    given = event.pop("exc_info", None)
    if given is True:
        given = sys.exc_info()
    error = given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event["error"] = type(error).__name__
        event["places"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def _without_tasks(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Keeps the first line of what asyncio says: those after it hold reprs of tasks, and these of exceptions."""
    if event.get("logger") == "asyncio":
        event["event"] = str(event["event"]).partition("\n")[0]
    return event
