"""Markdown, as the documents use it."""

from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells hold Markdown, bars in them are escaped."""
    return "\n".join(_line(cells) for cells in (columns, ["---"] * len(columns), *rows))


def _line(cells: Iterable[str]) -> str:
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
