"""The decoder in plain NumPy and float64: what the start token's state is computed with.

Slow, exact, and, once its results are rounded, the same on every machine. It is also what the tests hold the
graphs against.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.causal.rotary import rotary_angles
from models.causal.weights import LayerWeights, LlamaConfig, LlamaWeights, Norm

Wide = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trace:
    """What a sequence of tokens did in the decoder.

    Attributes:
        keys_values: [2 layers, kv_heads, tokens, head_width], keys (rotated) before values.
        residual: [tokens, width]: what goes into the final normalisation.
    """

    keys_values: Wide
    residual: Wide


def trace(weights: LlamaWeights, tokens: NDArray[np.int64]) -> Trace:
    """Runs the decoder over `tokens`, the first at position 0."""
    config = weights.config
    residual = weights.embedding[tokens].astype(np.float64)
    keys_values: list[Wide] = []
    for layer in weights.layers:
        normed = normalise(residual, layer.attention_norm)
        queries = rotate(split_heads(normed @ layer.query.T, config), config)
        keys = rotate(split_heads(normed @ layer.key.T, config), config)
        values = split_heads(normed @ layer.value.T, config)
        keys_values += [keys, values]
        residual = residual + attend(queries, keys, values) @ layer.output.T
        residual = residual + gate(normalise(residual, layer.feed_forward_norm), layer) @ layer.down.T
    return Trace(np.stack(keys_values), residual)


def next_nll(weights: LlamaWeights, residual: Wide) -> Wide:
    """How improbable each token of the vocabulary is next, in nats: [tokens, vocabulary]."""
    logits = normalise(residual, weights.final_norm) @ weights.head.T
    highest = logits.max(axis=-1, keepdims=True)
    return np.asarray(highest + np.log(np.exp(logits - highest).sum(axis=-1, keepdims=True)) - logits)


def normalise(rows: Wide, norm: Norm) -> Wide:
    """Root mean square normalisation (Zhang and Sennrich, 2019)."""
    mean_square = np.mean(rows**2, axis=-1, keepdims=True)
    return np.asarray(rows / np.sqrt(mean_square + norm.epsilon) * norm.gain)


def split_heads(rows: Wide, config: LlamaConfig) -> Wide:
    """[tokens, heads * head_width] to [heads, tokens, head_width]."""
    return rows.reshape(len(rows), -1, config.head_width).swapaxes(0, 1)


def rotate(heads: Wide, config: LlamaConfig) -> Wide:
    """Rotary position embedding of [heads, tokens, head_width]."""
    angles = rotary_angles(config, heads.shape[1])
    low, high = np.split(heads, 2, axis=-1)
    cosine, sine = np.cos(angles), np.sin(angles)
    return np.concatenate([low * cosine - high * sine, high * cosine + low * sine], axis=-1)


def attend(queries: Wide, keys: Wide, values: Wide) -> Wide:
    """Causal grouped-query attention: [tokens, heads * head_width]."""
    heads, tokens, head_width = queries.shape
    shared = heads // len(keys)
    keys, values = np.repeat(keys, shared, axis=0), np.repeat(values, shared, axis=0)
    similarity = queries @ keys.swapaxes(1, 2) / np.sqrt(head_width)
    similarity[:, np.triu(np.ones((tokens, tokens), dtype=bool), k=1)] = -np.inf
    weights = np.exp(similarity - similarity.max(axis=-1, keepdims=True))
    mixed = weights / weights.sum(axis=-1, keepdims=True) @ values
    return np.asarray(mixed.swapaxes(0, 1).reshape(tokens, heads * head_width))


def gate(rows: Wide, layer: LayerWeights) -> Wide:
    """The gated half of SwiGLU (Shazeer, 2020): silu(gate) * up."""
    gates = rows @ layer.gate.T
    return np.asarray(gates / (1 + np.exp(-gates)) * (rows @ layer.up.T))
