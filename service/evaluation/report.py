"""The report: `README.md` with tables and plots, and `figures.json` with every number."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import orjson

from service.evaluation.plots import draw
from service.evaluation.sections import SECTIONS

PAGE: Final = "README.md"
FIGURES: Final = "figures.json"


def write_report(folder: Path, figures: Mapping[str, Any], day: date | None) -> None:
    """Writes page, figures and plots.

    Args:
        folder: Created if it is not there.
        figures: As `evaluate` gives them.
        day: Printed on the page.
    """
    folder.mkdir(parents=True, exist_ok=True)
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    (folder / FIGURES).write_bytes(orjson.dumps(figures, option=options))
    draw(figures, folder)
    (folder / PAGE).write_text(page(figures, day), encoding="utf-8")


def page(figures: Mapping[str, Any], day: date | None) -> str:
    """The page in Markdown: a section for each part that was measured."""
    sections = [section(figures[name]) for name, section in SECTIONS.items() if name in figures]
    parts = ["# Evaluation", _provenance(figures, day), *(part for section in sections for part in section)]
    return "\n\n".join(parts) + "\n"


def _provenance(figures: Mapping[str, Any], day: date | None) -> str:
    form = "in lower case without punctuation" if figures["form"] == "bare" else "as it was given"
    risk = (
        "Risk of each call is by weights fitted without that call."
        if figures["fitted_without_each_call"]
        else "Risk is by the same weights for every call: if they were fitted to these calls, it looks better than it "
        "is."
    )
    dated = "" if day is None else f" {day.isoformat()}."
    return (
        f"Written by `auscult evaluate`.{dated} The text is evaluated {form}. {risk} Brackets hold 95 % intervals of a "
        f"bootstrap over calls. Every number is in [{FIGURES}]({FIGURES})."
    )
