"""A checkpoint's own graph in float32, by optimum, with the head that the service asks for."""

import json
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
from models.export.checkpoint import Checkpoint
from models.layout import GRAPH, TOKENIZER, LanguageModelDescription
from models.manifest import Purpose

TASKS: dict[Purpose, str] = {
    "embedding": "feature-extraction",
    "contradiction": "text-classification",
    "language_model": "text-generation",
}
"""What optimum calls the purposes."""


def run_optimum(checkpoint: Checkpoint, task: str, output: Path) -> None:
    """Exports a checkpoint's graph and tokenizer into a folder.

    Raises:
        ModelExportFailed: optimum is not installed, or cannot export this checkpoint.
    """
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
            dtype="fp32",
            library_name="transformers",  # we pool ourselves, so sentence-transformers is not needed
            local_files_only=True,
            do_validation=False,
        )
    except Exception as error:
        raise ModelExportFailed(f"optimum could not export it: {type(error).__name__}: {error}") from error


def finish(checkpoint: Checkpoint, purpose: Purpose, exported: Path, output: Path) -> None:
    """Makes what the service runs of what optimum exported: graph with its head, tokenizer, description.

    Raises:
        ModelExportFailed: there is no tokenizer, or the checkpoint lacks what the head needs to know.
    """
    if not (exported / TOKENIZER).is_file():
        raise ModelExportFailed(f"The model has no {TOKENIZER}, and none could be made of its vocabulary.")
    tokenizer = json.loads((exported / TOKENIZER).read_text(encoding="utf-8"))
    tokenizer |= {"padding": None, "truncation": None}
    model = onnx.load_model(exported / "model.onnx")
    free_dimensions(model)
    if purpose == "embedding":
        pool = append_mean_pooling if checkpoint.pooling() == "mean" else append_first_token_pooling
        pool(model)
    elif purpose == "contradiction":
        append_contradiction_probability(model, checkpoint.contradiction_label())
    else:
        append_token_nll(model)
        LanguageModelDescription(start_token=checkpoint.start_token()).write(output)
        # A transcript that spells a control token gets its ordinary pieces.
        tokenizer["added_tokens"] = [token for token in tokenizer["added_tokens"] if not token["special"]]
    save_graph(model, output / GRAPH)
    (output / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
