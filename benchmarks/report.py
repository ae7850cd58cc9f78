"""A page with the tables of all results in a folder, and plots where matplotlib is installed.

python -m benchmarks.report [FOLDER]
"""

import importlib.util
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import Row

PAGE = "README.md"


def write_report(folder: Path) -> None:
    """Writes the page, and the plots if they can be drawn, from the JSON files of a folder."""
    results = {
        file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))
    }
    plots: Sequence[str] = ()
    if importlib.util.find_spec("matplotlib") is not None:
        from benchmarks.plots import draw

        plots = draw(results, folder)
    (folder / PAGE).write_text(page(results, plots), encoding="utf-8")


def page(results: dict[str, Any], plots: Sequence[str]) -> str:
    """The page in Markdown.

    Args:
        results: Content of each JSON file, by the name of its benchmark.
        plots: Names of image files beside the page.
    """
    parts = [
        "# Results of the benchmarks",
        "Written by `make bench`; what is measured and how: [docs/benchmarks.md](../../docs/benchmarks.md).",
    ]
    for name, result in results.items():
        parts += [f"## {name}", _provenance(result), *_tables(result["results"])]
    parts += [f"![{plot}]({plot})" for plot in plots]
    return "\n\n".join(parts) + "\n"


def _provenance(result: Row) -> str:
    machine = result["machine"]
    return (
        f"{machine['cpu']}, {machine['cores']} cores ({', '.join(machine['flags'])}); Python {machine['python']}, "
        f"ONNX Runtime {machine['onnxruntime']}; revision {machine['revision']}; {result['calls']}."
    )


def _tables(rows: Iterable[Row]) -> list[str]:
    """One table for each run of rows with the same columns."""
    tables: list[list[Row]] = []
    for row in map(_flat, rows):
        if tables and tables[-1][0].keys() == row.keys():
            tables[-1].append(row)
        else:
            tables.append([row])
    return [_table(table) for table in tables]


def _table(rows: Sequence[Row]) -> str:
    lines = [" | ".join(rows[0]), " | ".join("---" for _ in rows[0])]
    lines += [" | ".join(map(str, row.values())) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def _flat(row: Row) -> Row:
    """The row with the fields of its inner objects as columns of their own."""
    flat: Row = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": content for inner, content in value.items()})
        else:
            flat[name] = value
    return flat


if __name__ == "__main__":
    write_report(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "results")
