"""Reads a Llama-type checkpoint into the arrays that our own builder takes, so that it is built as the default is."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.causal.int8_arithmetic import SPREAD
from models.causal.weights import LayerWeights, LlamaConfig, LlamaWeights, Norm
from models.errors import ModelExportFailed
from models.export.checkpoint import Checkpoint

_PLAIN: dict[str, tuple[Any, ...]] = {
    "model_type": ("llama",),
    "hidden_act": ("silu", None),
    "attention_bias": (False, None),
    "mlp_bias": (False, None),
    "rope_scaling": (None,),
}
"""What the builder's decoder is; a checkpoint that says anything else is left to optimum's graph."""

_ROPE_BASE = 10_000.0
"""Of a checkpoint that states none."""


def is_plain_llama(checkpoint: Checkpoint) -> bool:
    """Whether our own builder can build it: the plain decoder, of sizes that divide as the builder needs."""
    config = checkpoint.config()
    if any(config.get(name) not in values for name, values in _PLAIN.items()):
        return False
    rope = config.get("rope_parameters") or {}
    heads, width = config["num_attention_heads"], config["hidden_size"]
    return (
        rope.get("rope_type", "default") == "default"
        and width % heads == 0
        and config.get("head_dim") in (width // heads, None)
        and config["intermediate_size"] % SPREAD == 0
    )


def read_llama(checkpoint: Checkpoint) -> LlamaWeights:
    """Every weight as float32, whatever it was stored as.

    Raises:
        ModelExportFailed: a weight is missing.
    """
    stated = checkpoint.config()
    tensors = _tensors(checkpoint)

    def tensor(name: str) -> NDArray[np.float32]:
        try:
            return tensors[name]
        except KeyError:
            raise ModelExportFailed(f"{checkpoint.folder} holds no weight {name}.") from None

    def norm(name: str) -> Norm:
        return Norm(tensor(name), float(stated["rms_norm_eps"]))

    def layer(index: int) -> LayerWeights:
        prefix = f"model.layers.{index}"
        return LayerWeights(
            attention_norm=norm(f"{prefix}.input_layernorm.weight"),
            query=tensor(f"{prefix}.self_attn.q_proj.weight"),
            key=tensor(f"{prefix}.self_attn.k_proj.weight"),
            value=tensor(f"{prefix}.self_attn.v_proj.weight"),
            output=tensor(f"{prefix}.self_attn.o_proj.weight"),
            feed_forward_norm=norm(f"{prefix}.post_attention_layernorm.weight"),
            gate=tensor(f"{prefix}.mlp.gate_proj.weight"),
            up=tensor(f"{prefix}.mlp.up_proj.weight"),
            down=tensor(f"{prefix}.mlp.down_proj.weight"),
        )

    embedding = tensor("model.embed_tokens.weight")
    rope = stated.get("rope_parameters") or stated
    return LlamaWeights(
        config=LlamaConfig(
            vocabulary=len(embedding),
            width=stated["hidden_size"],
            layers=stated["num_hidden_layers"],
            heads=stated["num_attention_heads"],
            kv_heads=stated.get("num_key_value_heads") or stated["num_attention_heads"],
            feed_forward=stated["intermediate_size"],
            context_length=stated["max_position_embeddings"],
            rope_base=float(rope.get("rope_theta") or _ROPE_BASE),
        ),
        embedding=embedding,
        layers=tuple(layer(index) for index in range(stated["num_hidden_layers"])),
        final_norm=norm("model.norm.weight"),
        head=embedding if stated.get("tie_word_embeddings") else tensor("lm_head.weight"),
    )


def _tensors(checkpoint: Checkpoint) -> dict[str, NDArray[np.float32]]:
    from safetensors import safe_open

    found: dict[str, NDArray[np.float32]] = {}
    for path in sorted(checkpoint.folder.glob("*.safetensors")):
        # Through torch, since NumPy knows no bfloat16.
        with safe_open(path, framework="pt") as file:
            found |= {name: file.get_tensor(name).float().numpy() for name in file.keys()}  # noqa: SIM118
    return found
