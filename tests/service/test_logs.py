"""Logs: one form for our own and for libraries' records, and no exception's message."""

import asyncio
import gc
import logging

import orjson
import pytest
import structlog

from service.logs import configure_logs
from service.settings import LogSettings

CANARY = "xylocanary"


pytestmark = pytest.mark.usefixtures("restored_logging")


def fail() -> None:
    raise ValueError(CANARY)


def test_our_own_and_a_librarys_records_look_alike(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings(format="json", level="info"))
    structlog.get_logger("ours").info("assigned", partitions=3)
    logging.getLogger("theirs").warning("lost %s", "connection")
    ours, theirs = map(orjson.loads, capfd.readouterr().err.splitlines())
    assert (ours["event"], ours["partitions"], ours["logger"]) == ("assigned", 3, "ours")
    assert (theirs["event"], theirs["level"], theirs["logger"]) == ("lost connection", "warning", "theirs")
    assert ours["timestamp"].endswith("Z")


@pytest.mark.parametrize("form", ["json", "console"])
def test_an_exception_is_its_type_and_places_alone(form: str, capfd: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings.model_validate({"format": form, "level": "debug"}))
    try:
        fail()
    except ValueError as error:
        structlog.get_logger("ours").exception("it failed")
        structlog.get_logger("ours").error("it failed", exc_info=error)
        logging.getLogger("theirs").exception("it failed")
    written = capfd.readouterr().err
    assert CANARY not in written
    assert written.count("ValueError") == 3
    assert "test_logs.py" in written


def test_the_clients_debug_level_is_never_heard(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings(format="json", level="debug"))
    logging.getLogger("aiokafka.conn").debug("Request %s", CANARY)
    logging.getLogger("ours").debug("heard")
    written = capfd.readouterr().err
    assert CANARY not in written
    assert "heard" in written


async def test_a_task_that_fails_unheard_is_logged_without_its_message(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def failing() -> None:
        fail()

    configure_logs(LogSettings(format="json", level="info"))
    task = asyncio.create_task(failing())
    await asyncio.wait({task})
    del task
    gc.collect()
    (logged,) = map(orjson.loads, capfd.readouterr().err.splitlines())
    assert (logged["logger"], logged["error"]) == ("asyncio", "ValueError")
    assert logged["event"] == "Task exception was never retrieved"
    assert CANARY not in str(logged)
