"""Writes the manifest entry of an exported model, beside its files."""

import json
from dataclasses import dataclass
from pathlib import Path

from models.hashing import file_sha256
from models.manifest import Purpose

MANIFEST = "manifest.toml"


@dataclass(frozen=True, slots=True)
class Exported:
    """What people and the service are told of an exported model.

    Attributes:
        id: Its name in settings, metrics and on the command line.
        purpose: What the service uses it for.
        title: What it is, for people.
        licence: SPDX expression, or `NOASSERTION`.
    """

    id: str
    purpose: Purpose
    title: str
    licence: str


def write_manifest(folder: Path, described: Exported, max_tokens: int | None) -> None:
    """Writes `manifest.toml`, with the SHA-256 of every other file in the folder."""
    files = {path.name: file_sha256(path) for path in sorted(folder.iterdir())}
    lines = [
        "[[models]]",
        f"id = {_quoted(described.id)}",
        f"purpose = {_quoted(described.purpose)}",
        f"title = {_quoted(described.title)}",
        f"licence = {_quoted(described.licence)}",
        *([] if max_tokens is None else [f"max_tokens = {max_tokens}"]),
        "",
        "[models.origin]",
        'kind = "folder"',
        'path = "."',
        "",
        "[models.files]",
        *(f"{_quoted(name)} = {_quoted(digest)}" for name, digest in files.items()),
    ]
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string.
    return json.dumps(text)
