"""Runs benchmarks one after another, each in a process of its own, and writes their results, table and plots.

    python -m benchmarks.suite [--only NAME ...] [--results FOLDER]

The soaks, which take long and need Java and Maven, run when they are named. What needs other environments or files is
run by itself: `naive_pipeline` (extra `export`), `optimum_export`, `parity`. Their results, where they are in the
folder, are in the table too.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.report import write_report
from benchmarks.results import Row, write_json
from service.composition import model_store
from service.settings import load_settings

RESULTS: Final = Path(__file__).parent / "results"


COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "pipeline": ("benchmarks.pipeline",),
    "simple_forms": ("benchmarks.simple_forms",),
    "scaling_calls": ("benchmarks.scaling", "calls"),
    "scaling_length": ("benchmarks.scaling", "length"),
    "call_state": ("benchmarks.call_state",),
    "catch_up": ("benchmarks.catch_up",),
    "live_load": ("benchmarks.live_load", "--largest", "--calls", "60"),
}
"""Module and arguments of each benchmark of the service, by its name."""

ONLY_WHEN_NAMED: Final[Mapping[str, Sequence[str]]] = {
    "soak": ("benchmarks.soak",),
    "soak_open_calls": ("benchmarks.soak", "--open-calls", "500"),
}
"""The same for those that take long and need Java and Maven."""

_EVERY: Final = {**COMMANDS, **ONLY_WHEN_NAMED}

LANGUAGE_MODEL: Final = "language_model"


def run(names: Sequence[str], folder: Path) -> None:
    """Runs the named benchmarks and writes the page of all results.

    Raises:
        subprocess.CalledProcessError: one failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        sys.stderr.write(f"{name} ...\n")
        output = folder / f"{name}.json"
        if name == LANGUAGE_MODEL:
            write_json(output, name, _language_model_speeds(), "random tokens")
        else:
            _python(*_EVERY[name], "--output", str(output))
    write_report(folder)


def _language_model_speeds() -> list[Row]:
    models = load_settings().models
    folder = model_store(models).path(models.language_model)
    speeds: list[Row] = json.loads(_python("benchmarks.language_model", str(folder), "--table", "--json"))
    return speeds


def _python(module: str, *arguments: str) -> bytes:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout  # noqa: S603 - our own modules


def main() -> None:
    """Runs all, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="run these alone")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder to write to")
    arguments = parser.parse_args()
    usual = (LANGUAGE_MODEL, *COMMANDS)
    every = (*usual, *ONLY_WHEN_NAMED)
    unknown = set(arguments.only) - set(every)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    run([name for name in every if name in (arguments.only or usual)], arguments.results)


if __name__ == "__main__":
    main()
