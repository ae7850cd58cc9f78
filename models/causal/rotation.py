"""Rotates a decoder's residual stream, and its values, so that int8 activations lose little.

A few channels of a decoder are far larger than the others and would cost the others their precision. An
orthogonal rotation spreads them over all channels; folded into the weights on both sides it changes nothing of
what the model computes (QuaRot, Ashkboos et al., 2024). RMS normalisation commutes with a rotation once its gain
is folded into the matrices that follow it. No calibration data is needed.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.causal.weights import FloatArray, LayerWeights, LlamaConfig, LlamaWeights, Norm

Wide = NDArray[np.float64]


def rotated(weights: LlamaWeights) -> LlamaWeights:
    """The same model with a rotated residual stream and gains of one; its head is no longer its embedding."""
    config = weights.config
    rotation = orthogonal(config.width)
    values = orthogonal(config.head_width)
    return replace(
        weights,
        embedding=_turn_inputs(weights.embedding, rotation),
        layers=tuple(_rotate_layer(layer, config, rotation, values) for layer in weights.layers),
        final_norm=without_gain(weights.final_norm),
        head=_turn_inputs(weights.head * weights.final_norm.gain, rotation),
    )


def _rotate_layer(layer: LayerWeights, config: LlamaConfig, rotation: Wide, values: Wide) -> LayerWeights:
    def inward(matrix: FloatArray, norm: Norm) -> FloatArray:
        return _turn_inputs(matrix * norm.gain, rotation)

    value = inward(layer.value, layer.attention_norm).reshape(
        config.kv_heads, config.head_width, config.width
    )
    output = layer.output.reshape(config.width, config.heads, config.head_width)
    return LayerWeights(
        attention_norm=without_gain(layer.attention_norm),
        query=inward(layer.query, layer.attention_norm),
        key=inward(layer.key, layer.attention_norm),
        value=np.einsum("ij,hjk->hik", values, value).reshape(layer.value.shape).astype(np.float32),
        output=_turn_outputs(np.einsum("whj,ij->whi", output, values).reshape(layer.output.shape), rotation),
        feed_forward_norm=without_gain(layer.feed_forward_norm),
        gate=inward(layer.gate, layer.feed_forward_norm),
        up=inward(layer.up, layer.feed_forward_norm),
        down=_turn_outputs(layer.down, rotation),
    )


def without_gain(norm: Norm) -> Norm:
    """The same normalisation with a gain of one."""
    return Norm(np.ones_like(norm.gain), norm.epsilon)


def orthogonal(size: int) -> Wide:
    """An orthogonal matrix [size, size] whose entries are all of like size.

    Hadamard (Sylvester) for the largest power of two that divides `size`, a cosine transform for the rest.
    """
    power = size & -size
    hadamard = np.ones((1, 1))
    while len(hadamard) < power:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    return np.kron(hadamard / np.sqrt(power), _cosine_transform(size // power))


def _cosine_transform(size: int) -> Wide:
    """The orthonormal DCT-II: [size, size]."""
    rows = np.arange(size)[:, None]
    matrix = np.cos(np.pi * rows * (2 * np.arange(size) + 1) / (2 * size)) * np.sqrt(2 / size)
    matrix[0] /= np.sqrt(2)
    return np.asarray(matrix, dtype=np.float64)


def _turn_inputs(matrix: Wide | FloatArray, rotation: Wide) -> FloatArray:
    return np.asarray(matrix @ rotation.T, dtype=np.float32)


def _turn_outputs(matrix: Wide | FloatArray, rotation: Wide) -> FloatArray:
    return np.asarray(rotation @ matrix, dtype=np.float32)
