from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.causal.reference import next_nll, trace
from models.export.checkpoint import Checkpoint
from models.export.llama import is_plain_llama, read_llama
from tests.models.export.test_checkpoint import checkpoint

PLAIN: dict[str, Any] = {
    "model_type": "llama",
    "hidden_act": "silu",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "rope_scaling": None,
}


def test_a_plain_llama_is_known_by_its_config(tmp_path: Path) -> None:
    assert is_plain_llama(checkpoint(tmp_path, config=PLAIN))


@pytest.mark.parametrize(
    "other",
    [
        {"model_type": "gpt2"},
        {"hidden_act": "gelu"},
        {"attention_bias": True},
        {"mlp_bias": True},
        {"rope_scaling": {"rope_type": "llama3", "factor": 8.0}},
        {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4}},
        {"head_dim": 32},
        {"num_attention_heads": 5},
        {"intermediate_size": 100},
    ],
)
def test_anything_else_is_left_to_optimum(tmp_path: Path, other: dict[str, Any]) -> None:
    assert not is_plain_llama(checkpoint(tmp_path, config=PLAIN | other))


@pytest.mark.export
@pytest.mark.parametrize(("stored", "tied"), [("float32", True), ("bfloat16", False)])
def test_the_weights_are_those_of_the_checkpoint(tmp_path: Path, stored: str, tied: bool) -> None:
    torch = pytest.importorskip("torch")
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=20,
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=32,
        rope_theta=500.0,
        tie_word_embeddings=tied,
        initializer_range=0.3,
    )
    LlamaForCausalLM(config).to(getattr(torch, stored)).save_pretrained(tmp_path)
    model: Any = LlamaForCausalLM.from_pretrained(tmp_path, dtype=torch.float32).eval()

    weights = read_llama(Checkpoint(tmp_path))

    tokens = np.array([3, 1, 4, 1, 5])
    found = next_nll(weights, trace(weights, tokens).residual)
    with torch.inference_mode():
        expected = -model(torch.from_numpy(tokens)[None]).logits.log_softmax(-1)[0].numpy()
    np.testing.assert_allclose(found, expected, atol=1e-3)
