from pathlib import Path

import pytest

from models.building.registry import BUILDERS
from models.errors import ManifestInvalid, ModelUnknown
from models.manifest import BuiltOrigin, FolderOrigin, load_manifest

OWN = """
[[models]]
id = "our-embedding"
purpose = "embedding"
title = "Ours"
licence = "MIT"

[models.origin]
kind = "folder"
path = "exported"

[models.files]
"model.onnx" = "{digest}"
"""


def write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(content, encoding="utf-8")
    return path


def test_every_built_in_model_has_a_known_builder_and_a_licence() -> None:
    for entry in load_manifest().models:
        assert isinstance(entry.origin, BuiltOrigin)
        assert entry.origin.builder in BUILDERS
        assert entry.licence
        assert entry.licence_note


def test_a_model_without_a_stated_licence_is_optional_and_says_so() -> None:
    unstated = [entry for entry in load_manifest().models if entry.licence == "NOASSERTION"]

    assert [entry.purpose for entry in unstated] == ["contradiction"]
    assert all(entry.optional and "states no licence" in entry.licence_note for entry in unstated)


def test_a_users_entry_is_added_and_its_folder_starts_at_its_manifest(tmp_path: Path) -> None:
    manifest = load_manifest([write(tmp_path, OWN.format(digest="0" * 64))])

    origin = manifest.entry("our-embedding").origin
    assert isinstance(origin, FolderOrigin)
    assert origin.path == tmp_path / "exported"
    assert len(manifest.models) == len(load_manifest().models) + 1


def test_a_users_entry_replaces_the_built_in_one_of_the_same_id(tmp_path: Path) -> None:
    own = OWN.format(digest="0" * 64).replace("our-embedding", "all-minilm-l6-v2")

    manifest = load_manifest([write(tmp_path, own)])

    assert manifest.entry("all-minilm-l6-v2").title == "Ours"
    assert len(manifest.models) == len(load_manifest().models)


def test_an_unknown_model_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ModelUnknown, match=r"'nothing'.*all-minilm-l6-v2"):
        load_manifest().entry("nothing")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[[models]", "not valid TOML"),
        (OWN.format(digest="abc"), r"files\.model\.onnx"),
        (OWN.format(digest="0" * 64).replace('"embedding"', '"juggling"'), r"models\.0\.purpose"),
        (OWN.format(digest="0" * 64).replace('"folder"', '"elsewhere"'), r"models\.0\.origin"),
        (OWN.format(digest="0" * 64) + "\n" + OWN.format(digest="0" * 64), "two models have the same id"),
        (OWN.split("[models.files]")[0], "must name its files"),
        (OWN.format(digest="0" * 64).replace('"model.onnx"', '"../model.onnx"'), r"files\.\.\./model\.onnx"),
        (OWN.format(digest="0" * 64) + "\nunknown = 1", "unknown"),
    ],
)
def test_a_wrong_manifest_is_an_error_that_names_the_file_and_the_place(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(ManifestInvalid, match=message) as caught:
        load_manifest([write(tmp_path, content)])

    assert "own.toml" in str(caught.value)


def test_a_missing_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(ManifestInvalid, match=r"own\.toml cannot be read: No such file"):
        load_manifest([tmp_path / "own.toml"])


def test_the_fingerprint_follows_what_is_built_and_not_what_is_said_of_it() -> None:
    entry = load_manifest().entry("all-minilm-l6-v2")
    assert isinstance(entry.origin, BuiltOrigin)

    retitled = entry.model_copy(update={"title": "Another title"})
    revised = entry.model_copy(update={"origin": entry.origin.model_copy(update={"revision": 99})})
    repinned = entry.model_copy(update={"files": {}})

    assert retitled.fingerprint() == entry.fingerprint()
    assert len({each.fingerprint() for each in (entry, revised, repinned)} | {entry.fingerprint("salt")}) == 4
