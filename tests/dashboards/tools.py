"""The programs that check what is here, and how a test does without one."""

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.debian_tools import debian_tool
from deploy.go_tools import ToolUnavailable

RUN_SECONDS = 300


def tool(name: str) -> Path:
    """Prometheus, promtool or amtool; skips where it cannot be had."""
    try:
        return debian_tool(name)
    except ToolUnavailable as error:
        pytest.skip(f"needs {name}: {error}")


def on_path(name: str) -> str:
    """A program that only you can bring; skips where it is absent."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name} on the path")
    return found


def output(*command: str | Path, folder: Path | None = None) -> str:
    """What a command says; fails with it when the command does."""
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=RUN_SECONDS)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr
