"""`auscult models export` and `auscult score`: the default models as a hub has them, in place of the built."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from models.store import ModelStore
from service.commands import app
from service.demo.bundle import consultation_files

PURPOSES = ("language_model", "embedding", "contradiction")


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The manifest of each purpose's exported model; and what was printed is beside it."""
    pytest.importorskip("optimum", reason="needs torch and optimum: pip install -e .[export]")
    from benchmarks.hub_checkpoint import write_contradiction, write_embedding, write_language_model

    folder = tmp_path_factory.mktemp("exports")
    writers = dict(zip(PURPOSES, (write_language_model, write_embedding, write_contradiction), strict=True))
    manifests = {}
    for purpose, write in writers.items():
        source = write(folder / "checkpoints" / purpose)
        output = folder / purpose
        arguments = [str(source), "--purpose", purpose, "--id", f"own-{purpose.replace('_', '-')}"]
        result = CliRunner().invoke(app, ["models", "export", *arguments, "--output", str(output)])
        assert result.exit_code == 0, result.stderr
        manifests[purpose] = output / "manifest.toml"
    return manifests


@pytest.fixture
def store(built_models: ModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUSCULT_MODELS__STORE", str(built_models.root))


def score(tmp_path: Path, segments: int) -> list[dict[str, Any]]:
    given = tmp_path / "in.jsonl"
    lines = consultation_files(["headache"])[0].read_bytes().splitlines(keepends=True)
    given.write_bytes(b"".join(lines[:segments]))
    result = CliRunner().invoke(app, ["score", "--input", str(given)])
    assert result.exit_code == 0, result.stderr
    return [orjson.loads(line) for line in result.stdout_bytes.splitlines()]


def values(assessments: list[dict[str, Any]], signal: str) -> list[float | None]:
    return [one["signals"][signal].get("value") for one in assessments]


@pytest.mark.export
@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_exported_model_is_within_the_bar(purpose: str, exports: Mapping[str, Path]) -> None:
    report = json.loads((exports[purpose].parent / "parity.json").read_text())

    assert report["passed"]
    assert report["size"] < 0.5
    assert report["compared"] > 100


@pytest.mark.export
@pytest.mark.usefixtures("store")
def test_the_service_scores_with_exported_models_as_with_the_built_ones(
    exports: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = score(tmp_path, 40)
    monkeypatch.setenv("AUSCULT_MODELS__MANIFESTS", json.dumps([str(path) for path in exports.values()]))
    for purpose in PURPOSES:
        monkeypatch.setenv(f"AUSCULT_MODELS__{purpose.upper()}", f"own-{purpose.replace('_', '-')}")

    exported = score(tmp_path, 40)

    assert len(built) == len(exported) == 40
    for signal, tolerance in (("perplexity", 0.5), ("embedding_drift", 0.1)):
        pairs = zip(values(exported, signal), values(built, signal), strict=True)
        known = np.array([(one, other) for one, other in pairs if one is not None and other is not None])
        assert len(known) >= 3
        np.testing.assert_allclose(known[:, 0], known[:, 1], atol=tolerance)
    assert not any("failed" in str(one["signals"]) for one in exported)


@pytest.mark.export
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("purpose", PURPOSES)
def test_an_exported_file_that_was_changed_is_refused(
    purpose: str, exports: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model_id = f"own-{purpose.replace('_', '-')}"
    manifest = tmp_path / "manifest.toml"
    text = exports[purpose].read_text().replace('path = "."', f'path = "{exports[purpose].parent}"')
    line = next(line for line in text.splitlines() if line.startswith('"model.onnx"'))
    manifest.write_text(text.replace(line, f'"model.onnx" = "{"0" * 64}"'))
    monkeypatch.setenv("AUSCULT_MODELS__MANIFESTS", json.dumps([str(manifest)]))
    monkeypatch.setenv(f"AUSCULT_MODELS__{purpose.upper()}", model_id)

    result = CliRunner().invoke(app, ["score"], input=b"")

    assert result.exit_code == 2
    assert f"is not the file that belongs to {model_id}" in result.stderr


def test_a_transcript_that_holds_no_segments_is_named_without_its_words(tmp_path: Path) -> None:
    transcript = tmp_path / "calls.jsonl"
    transcript.write_text('{"said": "xylocanary"}\n')
    arguments = [str(tmp_path), "--purpose", "embedding", "--output", str(tmp_path / "out")]

    result = CliRunner().invoke(app, ["models", "export", *arguments, "--transcript", str(transcript)])

    assert result.exit_code == 2
    assert f"{transcript}, line 1: missing_call_id" in result.stderr
    assert "xylocanary" not in result.output
