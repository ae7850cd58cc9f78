"""Builds the sentence embedding model from the published float32 weights: graph, weights, tokenizer."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from models.building.bert_graph import bert_model
from models.building.bert_weights import read_bert
from models.building.graph import save_graph_and_weights
from models.building.products import Int8Products
from models.layout import TOKENIZER
from models.progress import Report

POSITIONS = 256
"""The longest input in tokens, as the model was trained."""


def build_sentence_embedding(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    """Builds from the roles `weights` (safetensors), `config` and `tokenizer`."""
    report("build sentence embedding", 0.0)
    weights = read_bert(sources["weights"], sources["config"], POSITIONS)
    save_graph_and_weights(bert_model(weights, Int8Products()), output)
    shutil.copyfile(sources["tokenizer"], output / TOKENIZER)
    report("build sentence embedding", 1.0)
