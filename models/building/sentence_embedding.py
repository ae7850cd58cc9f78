"""Builds the sentence embedding model: the package's graph, with pooling inside, and its tokenizer.

The package's graph keeps int8 weights (a scale per row or column) and computes in float32, so a text's vector
does not depend on the texts that share its batch.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import onnx

from models.building.graph import append_mean_pooling, free_dimensions, save_graph
from models.layout import GRAPH, TOKENIZER
from models.progress import Report


def build_sentence_embedding(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    """Builds from the roles `graph` (ONNX, token states as first output) and `tokenizer`."""
    report("build sentence embedding", 0.0)
    model = onnx.load_model(sources["graph"])
    free_dimensions(model)
    append_mean_pooling(model)
    save_graph(model, output / GRAPH)
    shutil.copyfile(sources["tokenizer"], output / TOKENIZER)
    report("build sentence embedding", 1.0)
