"""What the start token, which every sequence begins with, does to the tokens after it.

It is the same for every sequence, and the start token is where a decoder's few huge activations sit. So its keys
and values, and how likely each token is to follow it, are computed once, at build time, from unquantised weights.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.causal.weights import LayerWeights, LlamaConfig, LlamaWeights

Wide = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StartState:
    """The start token's part in every sequence.

    Attributes:
        keys_values: float16 [2 layers, kv_heads, head_width], keys before values.
        next_nll: float32 [vocabulary], nats: how improbable each token is right after it.
    """

    keys_values: NDArray[np.float16]
    next_nll: NDArray[np.float32]


def start_state(weights: LlamaWeights, token: int) -> StartState:
    """Runs `token` alone, in float64 and rounded, so that the result is the same on every machine.

    At position 0 the rotary embedding is the identity, and attention returns the token's own value.
    """
    config = weights.config
    residual = weights.embedding[token].astype(np.float64)
    states: list[Wide] = []
    for layer in weights.layers:
        normed = _normalise(residual, layer.attention_norm, config)
        key, value = layer.key.astype(np.float64) @ normed, layer.value.astype(np.float64) @ normed
        states += [key, value]
        shared = value.reshape(config.kv_heads, 1, config.head_width)
        attended = np.repeat(shared, config.heads // config.kv_heads, axis=1).ravel()
        residual = residual + layer.output.astype(np.float64) @ attended
        residual = residual + _feed_forward(_normalise(residual, layer.feed_forward_norm, config), layer)
    logits = weights.head.astype(np.float64) @ _normalise(residual, weights.final_norm, config)
    highest = logits.max()
    nll = highest + np.log(np.exp(logits - highest).sum()) - logits
    return StartState(
        keys_values=np.stack(states).reshape(-1, config.kv_heads, config.head_width).astype(np.float16),
        next_nll=nll.round(4).astype(np.float32),
    )


def _normalise(row: Wide, gain: NDArray[np.float32], config: LlamaConfig) -> Wide:
    return np.asarray(row / np.sqrt(np.mean(row**2) + config.norm_epsilon) * gain, dtype=np.float64)


def _feed_forward(row: Wide, layer: LayerWeights) -> Wide:
    gate = layer.gate.astype(np.float64) @ row
    up = layer.up.astype(np.float64) @ row
    return np.asarray(layer.down.astype(np.float64) @ (gate / (1 + np.exp(-gate)) * up), dtype=np.float64)
