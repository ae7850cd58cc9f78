"""Helm and the programs around it: built once by Go from pinned sources, kept in the user's cache folder.

`tools/go.mod` pins the versions and `tools/go.sum` the hash of every source. `python -m deploy.go_tools` prints the
folder.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from filelock import FileLock

SOURCES: Final = Path(__file__).parent / "tools"
BUILD_SECONDS: Final = 3600


class ToolUnavailable(Exception):
    """There is no such program to be had here. Says what is missing."""


def go_tool(name: str) -> Path:
    """The path of a program that `tools/go.mod` names; builds all of them if they are not there yet.

    Raises:
        ToolUnavailable: Go is absent, or could not build them, or the program is not among them.
    """
    path = tools_folder() / name
    if not path.is_file():
        raise ToolUnavailable(f"{name} is not among the tools of {SOURCES / 'go.mod'}")
    return path


def tools_folder() -> Path:
    """The folder of programs.

    Raises:
        ToolUnavailable: Go is absent, or could not build them.
    """
    folder = _cache() / _fingerprint()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            _build(folder)
    return folder


def _build(folder: Path) -> None:
    go = shutil.which("go")
    if go is None:
        raise ToolUnavailable("no Go on the path, to build Helm with")
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    command = [go, "build", "-trimpath", "-ldflags=-s -w", "-o", str(partial), "tool"]
    try:
        subprocess.run(command, cwd=SOURCES, check=True, capture_output=True, timeout=BUILD_SECONDS)  # noqa: S603
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise ToolUnavailable(f"Go could not build Helm and the programs around it: {reason}") from None
    except subprocess.TimeoutExpired:
        raise ToolUnavailable(f"Go did not build Helm within {BUILD_SECONDS} s") from None
    partial.rename(folder)


def _fingerprint() -> str:
    pinned = (SOURCES / "go.mod").read_bytes() + (SOURCES / "go.sum").read_bytes()
    return hashlib.sha256(pinned).hexdigest()[:16]


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "auscult" / "tools"


if __name__ == "__main__":
    sys.stdout.write(f"{tools_folder()}\n")
