"""Exports a model of a hub or a folder to what the service runs, with a manifest entry that switches it on."""

import shutil
import tempfile
from pathlib import Path

import onnx

from models.building.graph import (
    append_contradiction_probability,
    append_first_token_pooling,
    append_mean_pooling,
    free_dimensions,
    save_graph,
)
from models.building.token_nll import append_token_nll
from models.errors import ModelExportFailed
from models.export.checkpoint import Checkpoint, obtain_checkpoint
from models.export.entry import MANIFEST, Exported, write_manifest
from models.layout import GRAPH, TOKENIZER, LanguageModelDescription
from models.manifest import Purpose
from models.progress import Report, silent

_TASKS: dict[Purpose, str] = {
    "embedding": "feature-extraction",
    "contradiction": "text-classification",
    "language_model": "text-generation",
}


def export_model(
    source: str,
    output: Path,
    described: Exported,
    revision: str | None = None,
    report: Report = silent,
) -> Path:
    """Exports a model.

    Args:
        source: A folder, or the id of a hub's model.
        output: The folder to write; must be empty or absent.
        described: What the manifest entry will say.
        revision: Branch, tag or commit of the hub's model.
        report: Told each step and how much of the whole is done.

    Returns:
        The manifest that was written beside the files.

    Raises:
        ModelExportFailed: the checkpoint cannot be had or cannot be exported.
    """
    if described.purpose not in _TASKS:
        raise ModelExportFailed(f"A model for {described.purpose} is built, not exported.")
    if output.exists() and any(output.iterdir()):
        raise ModelExportFailed(f"{output} is not empty.")
    report("fetch checkpoint", 0.0)
    checkpoint = obtain_checkpoint(source, revision)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}-") as workspace:
        exported, finished = Path(workspace, "exported"), Path(workspace, "finished")
        finished.mkdir()
        report("export", 0.2)
        _run_optimum(checkpoint, _TASKS[described.purpose], exported)
        report("add the head", 0.8)
        _finish(checkpoint, described.purpose, exported, finished)
        write_manifest(finished, described, checkpoint.max_tokens())
        if output.exists():
            output.rmdir()
        finished.rename(output)
    report("exported", 1.0)
    return output / MANIFEST


def _run_optimum(checkpoint: Checkpoint, task: str, output: Path) -> None:
    try:
        from optimum.exporters.onnx import main_export
    except ModuleNotFoundError as error:
        raise ModelExportFailed(
            f"Exporting needs the package {error.name}. Run: pip install 'auscult[export]'"
        ) from error
    try:
        main_export(
            str(checkpoint.folder),
            output,
            task=task,
            library_name="transformers",  # we pool ourselves, so sentence-transformers is not needed
            local_files_only=True,
            do_validation=False,
        )
    except Exception as error:
        raise ModelExportFailed(f"optimum could not export it: {type(error).__name__}: {error}") from error


def _finish(checkpoint: Checkpoint, purpose: Purpose, exported: Path, output: Path) -> None:
    if not (exported / TOKENIZER).is_file():
        raise ModelExportFailed(f"The model has no {TOKENIZER}, and none could be made of its vocabulary.")
    shutil.copyfile(exported / TOKENIZER, output / TOKENIZER)
    model = onnx.load_model(exported / "model.onnx")
    free_dimensions(model)
    if purpose == "embedding":
        pool = append_mean_pooling if checkpoint.pooling() == "mean" else append_first_token_pooling
        pool(model)
    elif purpose == "contradiction":
        append_contradiction_probability(model, checkpoint.contradiction_label())
    else:
        append_token_nll(model)
        description = LanguageModelDescription(start_token=checkpoint.start_token())
        description.write(output)
    save_graph(model, output / GRAPH)
