from pathlib import Path

from models.export.entry import Exported, write_manifest
from models.manifest import load_manifest
from models.store import ModelStore


def test_the_entry_switches_the_exported_model_on(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"graph")
    write_manifest(tmp_path, Exported("ours", "embedding", 'Our "own" model', "MIT"), max_tokens=128)

    manifest = load_manifest([tmp_path / "manifest.toml"])

    entry = manifest.entry("ours")
    assert (entry.purpose, entry.title, entry.licence, entry.max_tokens) == (
        "embedding",
        'Our "own" model',
        "MIT",
        128,
    )
    assert ModelStore(tmp_path / "store", manifest).path("ours") == tmp_path
