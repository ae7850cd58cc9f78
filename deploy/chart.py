"""Writes what the chart holds that is made of other files: `python -m deploy.chart`, after a change of those.

| in `helm/` | made of |
|---|---|
| `files/rules`, `files/dashboards` | `dashboards/`: Helm reads no file outside its chart |
| `values.schema.json`, its definitions | the settings model; what stands above them is written by hand |
| `README.md` | `values.yaml` and `README.md.gotmpl`, by helm-docs |
"""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson

from deploy.go_tools import go_tool
from deploy.settings_schema import settings_definitions

ROOT: Final = Path(__file__).parents[1]
CHART: Final = ROOT / "helm"
_SYNCED: Final = {"rules": "dashboards/rules/*.yaml", "dashboards": "dashboards/*.json"}
"""Folder below `files`, and what is copied into it."""


def synced_files() -> dict[Path, bytes]:
    """Path in the chart and content of every rule file and dashboard."""
    return {
        CHART / "files" / folder / source.name: source.read_bytes()
        for folder, pattern in _SYNCED.items()
        for source in sorted(ROOT.glob(pattern))
    }


def stray_files() -> tuple[Path, ...]:
    """Files that were copied into the chart and whose source is gone."""
    kept = synced_files()
    there = (path for folder in _SYNCED for path in (CHART / "files" / folder).glob("*.*"))
    return tuple(sorted(path for path in there if path not in kept))


def values_schema() -> bytes:
    """The schema of the chart's values, with the settings' present definitions."""
    path = CHART / "values.schema.json"
    schema = orjson.loads(path.read_bytes())
    schema["$defs"] = settings_definitions()
    return orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def readme() -> bytes:
    """The chart's README.

    Raises:
        ToolUnavailable: helm-docs cannot be had here.
    """
    # Every chart below the folder is read: the chart's own tests have none.
    command = [
        str(go_tool("helm-docs")),
        "--chart-search-root",
        str(CHART),
        "--dry-run",
        "--log-level",
        "error",
    ]
    made = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
    return made.strip() + b"\n"


def write(files: Mapping[Path, bytes]) -> None:
    """Writes the files whose content is another."""
    for path, content in files.items():
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")


def main() -> None:
    """Brings the chart up to date, and prints the names of the files that changed."""
    write({**synced_files(), CHART / "values.schema.json": values_schema()})
    for path in stray_files():
        path.unlink()
        sys.stdout.write(f"{path.relative_to(ROOT)} removed\n")
    write({CHART / "README.md": readme()})


if __name__ == "__main__":
    main()
