"""The demo as it is run: its own broker, the real service, the real models."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from models.store import ModelStore
from service.demo.bundle import consultation_files
from service.demo.environment import LOOPBACK, demo_settings, free_port
from service.demo.process import DemoServiceFailed, service_process
from service.settings import ModelSettings, Settings

CALLS = "knee-pain,diabetes-review"
DEADLINE_SECONDS = 150.0


@contextmanager
def running_demo(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "service.commands", "demo", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(DEADLINE_SECONDS)
        if process.stdout is not None:
            process.stdout.close()


def read_until(process: "subprocess.Popen[str]", pattern: str) -> str:
    """All output up to the first line that matches."""
    assert process.stdout is not None
    output = ""
    for line in process.stdout:
        output += line
        if re.search(pattern, line):
            return output
    raise AssertionError(f"ended with {process.wait()} before {pattern!r}:\n{output}")


def rest_after(process: "subprocess.Popen[str]", number: signal.Signals) -> str:
    process.send_signal(number)
    output, _ = process.communicate(timeout=DEADLINE_SECONDS)
    return output


def nothing_listens(address: str) -> bool:
    host, port = address.split(":")
    with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
        return False
    return True


def found(pattern: str, output: str) -> str:
    match = re.search(pattern, output)
    assert match is not None, output
    return match[1]


@pytest.mark.usefixtures("built_models")
def test_a_whole_run_ends_with_what_was_found_and_leaves_nothing_behind() -> None:
    with running_demo("--calls", CALLS, "--speed", "100", "--keep-running") as demo:
        output = read_until(demo, "stays up")
        url = found(r"Metrics: (http://\S+/metrics)", output)
        with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own loopback address
            metrics = answer.read().decode()
        ending = rest_after(demo, signal.SIGINT)

    totals = found(r"(4 planted: .*)", output)
    found_errors, noticed, missed = map(int, re.findall(r"(\d+) (?:found|noticed|missed)", totals))
    assert found_errors + noticed + missed == 4
    assert found_errors >= 1
    segments = sum(len(file.read_bytes().splitlines()) for file in consultation_files(CALLS.split(",")))
    assert f"in {segments} segments." in totals
    assert len(re.findall(r"(?m)^ +(?:knee-pain|diabetes-review) .* (?:ACCEPT|REVIEW|REJECT) ", output)) == 2

    counted = re.findall(r"(?m)^auscult_segments_total\{.*\} (\S+)$", metrics)
    assert sum(map(float, counted)) == segments
    assert "biscuit" not in metrics

    assert demo.returncode == 130
    assert "Traceback" not in output + ending
    assert nothing_listens(found(r"Broker on (\S+:\d+)", output))
    assert nothing_listens(found(r"http://(\S+:\d+)/metrics", output))


@pytest.mark.usefixtures("built_models")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_can_be_ended_at_any_time(number: signal.Signals) -> None:
    with running_demo("--calls", "headache") as demo:
        output = read_until(demo, "Broker on")
        ending = rest_after(demo, number)
    assert demo.returncode == 130
    assert ending.strip() == "Ended."
    assert nothing_listens(found(r"Broker on (\S+:\d+)", output))


def test_an_unknown_consultation_is_refused_before_anything_starts(built_models: ModelStore) -> None:
    with running_demo("--calls", "no-such-call") as demo:
        output, _ = demo.communicate(timeout=DEADLINE_SECONDS)
    assert demo.returncode == 2
    assert "there are" in output
    assert "headache" in output
    assert "Broker" not in output


async def test_a_service_that_does_not_start_says_why_with_the_end_of_its_log() -> None:
    nowhere = f"{LOOPBACK}:{free_port(0)}"
    settings = demo_settings(Settings(models=ModelSettings()), nowhere, free_port(0))
    async with service_process(settings) as service:
        with pytest.raises(DemoServiceFailed, match=rf"before it was ready(.|\n)*{nowhere}"):
            await service.ready()
