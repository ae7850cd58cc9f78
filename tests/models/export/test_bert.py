from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray
from safetensors.numpy import save_file

from models.export.bert import is_plain_bert
from tests.models.export.test_checkpoint import checkpoint

PLAIN: dict[str, Any] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 64,
    "intermediate_size": 128,
}


def bert(folder: Path, dtype: DTypeLike = np.float32, prefix: str = "", **config: Any) -> bool:
    table: NDArray[Any] = np.zeros((4, 64), dtype)
    save_file({f"{prefix}embeddings.word_embeddings.weight": table}, folder / "model.safetensors")
    return is_plain_bert(checkpoint(folder, config=PLAIN | config))


def test_a_plain_bert_is_known_by_its_config_and_its_weights(tmp_path: Path) -> None:
    assert bert(tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        {"model_type": "mpnet"},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"hidden_size": 48},
        {"intermediate_size": 100},
        {"dtype": np.float16},
        {"prefix": "bert."},
    ],
)
def test_anything_else_is_left_to_optimum(tmp_path: Path, other: dict[str, Any]) -> None:
    assert not bert(tmp_path, **other)


def test_weights_in_several_files_are_left_to_optimum(tmp_path: Path) -> None:
    assert not is_plain_bert(checkpoint(tmp_path, config=PLAIN))
