"""The Markdown files of the repository, and what is in them, as GitHub reads them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT: Final = Path(__file__).parents[2]
_FOLDERS: Final = (".", "docs", "docs/decisions", "docs/runbooks", "helm", "dashboards", "benchmarks/results")
"""Whose Markdown files are read; not a folder's inner ones, since environments are full of others' documents."""

_PARSER: Final = MarkdownIt("commonmark").enable("table")
_LEFT_OUT_OF_ANCHORS: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Block:
    """A fenced block of code."""

    file: Path
    line: int
    language: str
    content: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Link:
    """A link or image of a document."""

    file: Path
    target: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)} -> {self.target}"


def documents() -> list[Path]:
    """Every Markdown file of the repository."""
    return sorted(path for folder in _FOLDERS for path in (ROOT / folder).glob("*.md"))


def blocks(*languages: str) -> list[Block]:
    """The blocks in these languages, of every document; without any named, all blocks."""
    return [
        Block(path, (token.map or [0])[0] + 1, token.info.strip(), token.content)
        for path in documents()
        for token in _tokens(path)
        if token.type == "fence" and (not languages or token.info.strip() in languages)
    ]


def links() -> list[Link]:
    """All links and images of every document."""
    return [Link(path, target) for path in documents() for target in _targets(_tokens(path))]


@cache
def anchors(path: Path) -> frozenset[str]:
    """What a link may name behind `#`: a document's headings, by GitHub's rule."""
    found: dict[str, int] = {}
    names: list[str] = []
    tokens = _tokens(path)
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            name = _anchor("".join(part.content for part in content.children or ()))
            times = found.get(name, 0)
            found[name] = times + 1
            names.append(f"{name}-{times}" if times else name)
    return frozenset(names)


def prose(path: Path) -> str:
    """A document's text as it is written."""
    return path.read_text(encoding="utf-8")


@cache
def _tokens(path: Path) -> tuple[Token, ...]:
    return tuple(_PARSER.parse(prose(path)))


def _targets(tokens: tuple[Token, ...]) -> Iterator[str]:
    for token in tokens:
        for part in token.children or ():
            target = part.attrs.get("href", part.attrs.get("src"))
            if target is not None:
                yield str(target)


def _anchor(heading: str) -> str:
    return _LEFT_OUT_OF_ANCHORS.sub("", heading.lower()).replace(" ", "-")
