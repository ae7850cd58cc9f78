"""The manifest entry of an exported model, and the file beside the model that holds it."""

import json
from dataclasses import dataclass
from pathlib import Path

from models.hashing import file_sha256
from models.manifest import FolderOrigin, ModelEntry, Purpose

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


def entry_of(folder: Path, described: Exported, max_tokens: int | None) -> ModelEntry:
    """The entry of a model in a folder, with the SHA-256 of every file there."""
    return ModelEntry(
        id=described.id,
        purpose=described.purpose,
        title=described.title,
        licence=described.licence,
        max_tokens=max_tokens,
        origin=FolderOrigin(kind="folder", path=folder),
        files={path.name: file_sha256(path) for path in sorted(folder.iterdir())},
    )


def write_manifest(folder: Path, described: Exported, max_tokens: int | None) -> None:
    """Writes `manifest.toml`, an entry of all the other files in the folder."""
    entry = entry_of(folder, described, max_tokens)
    lines = [
        "[[models]]",
        f"id = {_quoted(entry.id)}",
        f"purpose = {_quoted(entry.purpose)}",
        f"title = {_quoted(entry.title)}",
        f"licence = {_quoted(entry.licence)}",
        *([] if max_tokens is None else [f"max_tokens = {max_tokens}"]),
        "",
        "[models.origin]",
        'kind = "folder"',
        'path = "."',
        "",
        "[models.files]",
        *(f"{_quoted(name)} = {_quoted(digest)}" for name, digest in entry.files.items()),
    ]
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string.
    return json.dumps(text)
