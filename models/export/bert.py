"""Builds a BERT-type sentence embedding checkpoint with the builder of the default embedding model."""

from pathlib import Path
from typing import Any

from models.building.bert_graph import bert_model
from models.building.bert_weights import read_bert
from models.building.graph import save_graph_and_weights
from models.building.products import SPREAD, Int8Products
from models.export.checkpoint import Checkpoint

_WEIGHTS = "model.safetensors"
_LONGEST = 512

_PLAIN: dict[str, tuple[Any, ...]] = {
    "model_type": ("bert",),
    "hidden_act": ("gelu",),
    "position_embedding_type": ("absolute", None),
}
"""What the builder's encoder is; a checkpoint that says anything else is left to optimum's graph."""

_READABLE = "F32"
"""How weights must be stored."""


def is_plain_bert(checkpoint: Checkpoint) -> bool:
    """Whether our own builder can build it: the plain encoder with mean pooling, in one readable file."""
    config = checkpoint.config()
    path = checkpoint.folder / _WEIGHTS
    if not path.is_file() or any(config.get(name) not in values for name, values in _PLAIN.items()):
        return False
    divides = all(config[size] % SPREAD == 0 for size in ("hidden_size", "intermediate_size"))
    return divides and checkpoint.pooling() == "mean" and _is_readable(path)


def write_bert(checkpoint: Checkpoint, output: Path) -> None:
    """Writes graph and weights into a folder, as the default embedding model's are written."""
    positions = min(checkpoint.max_tokens() or _LONGEST, _LONGEST)
    weights = read_bert(checkpoint.folder / _WEIGHTS, checkpoint.folder / "config.json", positions)
    save_graph_and_weights(bert_model(weights, Int8Products()), output)


def _is_readable(path: Path) -> bool:
    from safetensors import safe_open

    table = "embeddings.word_embeddings.weight"
    with safe_open(path, framework="numpy") as file:
        return table in file.keys() and file.get_slice(table).get_dtype() == _READABLE  # noqa: SIM118
