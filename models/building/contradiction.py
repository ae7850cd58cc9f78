"""Builds the contradiction classifier from the package's quantised graph: its weights in a graph of our own.

The package's graph was traced at 160 tokens and quantises activations with one scale per tensor, so that padding
and batch mates change an answer by up to 0.05. Ours takes any length and has a scale for each row.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from models.building.deberta_graph import deberta_model
from models.building.deberta_weights import read_deberta
from models.building.graph import save_graph_and_weights
from models.building.products import Int8Products
from models.layout import SENTENCE_PIECES
from models.progress import Report

POSITIONS = 256
"""The longest input in tokens. The model knows farther distances, and was tuned on shorter inputs."""

_CONTRADICTORY = 1
"""The package's classes: not contradictory, contradictory."""


def build_contradiction_classifier(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    """Builds from the roles `graph` (ONNX, dynamically quantised) and `pieces` (a SentencePiece model)."""
    report("build contradiction classifier", 0.0)
    weights = read_deberta(sources["graph"], POSITIONS, _CONTRADICTORY)
    save_graph_and_weights(deberta_model(weights, Int8Products()), output)
    shutil.copyfile(sources["pieces"], output / SENTENCE_PIECES)
    report("build contradiction classifier", 1.0)
