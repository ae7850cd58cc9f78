"""Prometheus, promtool and amtool: Debian's packages at pinned versions, unpacked into the user's cache folder.

Nothing is installed. Where Debian's packages cannot be had, a program of that name on the path is taken instead.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from filelock import FileLock

from deploy.go_tools import ToolUnavailable

_PACKAGES: Final = {
    "prometheus": "prometheus=2.42.0+ds-5+deb12u1",
    "promtool": "prometheus=2.42.0+ds-5+deb12u1",
    "amtool": "prometheus-alertmanager=0.25.0-1+b4",
}
"""Package and version of each program."""

DOWNLOAD_SECONDS: Final = 300


def debian_tool(name: str) -> Path:
    """The path of a program; downloads its package if it is not there yet.

    Args:
        name: `prometheus`, `promtool` or `amtool`.

    Raises:
        ToolUnavailable: Debian's package cannot be had here, and there is no such program on the path.
    """
    package = _PACKAGES[name]
    folder = _cache() / package
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(f"{folder}.lock"):
            if not folder.is_dir():
                _unpack(package, folder)
    except ToolUnavailable:
        found = shutil.which(name)
        if found is None:
            raise
        return Path(found)
    return folder / "usr" / "bin" / name


def _unpack(package: str, folder: Path) -> None:
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        _download(package, partial)
        (archive,) = partial.glob("*.deb")
        _run(["dpkg-deb", "--extract", str(archive), str(partial)], partial)
    except (OSError, subprocess.SubprocessError, ValueError):
        raise ToolUnavailable(f"Debian's package {package} cannot be had here") from None
    archive.unlink()
    partial.rename(folder)


def _download(package: str, folder: Path) -> None:
    command = ["apt-get", "download", "--quiet", package]
    try:
        _run(command, folder)
    except subprocess.CalledProcessError:
        # A machine that has never asked knows of no package at all.
        _run(["apt-get", "update", "--quiet"], folder)
        _run(command, folder)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=DOWNLOAD_SECONDS)  # noqa: S603


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "auscult" / "tools"
