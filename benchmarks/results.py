"""Results as files: what was measured, on what machine, with what versions."""

import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import onnxruntime

from models.cpu import usable_cpus

_FLAGS: Final = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "avx512_bf16")
"""CPU features that decide how fast int8 products are."""

Row = dict[str, Any]


def machine() -> Row:
    """CPU, cores and versions, for the results to be read by."""
    model, flags = _cpu()
    return {
        "cpu": model,
        "cores": usable_cpus(),
        "flags": [flag for flag in _FLAGS if flag in flags],
        "python": platform.python_version(),
        "onnxruntime": onnxruntime.__version__,
        "auscult": version("auscult"),
        "revision": _revision(),
    }


def write_json(path: Path | None, name: str, rows: Sequence[Row], source: str) -> None:
    """Writes results with the machine that they hold for; to standard output when there is no path.

    Args:
        path: Where to.
        name: Of the benchmark.
        rows: What was measured.
        source: Which calls it was measured on.
    """
    content = {"benchmark": name, "machine": machine(), "calls": source, "results": list(rows)}
    text = json.dumps(content, indent=2) + "\n"
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


def _cpu() -> tuple[str, frozenset[str]]:
    information = Path("/proc/cpuinfo")
    if not information.exists():
        return platform.processor() or platform.machine(), frozenset()
    lines = (line.partition(":") for line in information.read_text(encoding="utf-8").splitlines())
    fields = {name.strip(): value.strip() for name, _, value in lines}
    return fields.get("model name", platform.machine()), frozenset(fields.get("flags", "").split())


def _revision() -> str:
    try:
        revision = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return revision + ("+" if changed else "")


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode().strip()  # noqa: S603
