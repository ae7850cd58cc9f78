"""What BERT and DeBERTa have in common: a layer's weights, and all of a layer's graph but its attention."""

from dataclasses import dataclass

import numpy as np

from models.building.products import FloatArray, Products
from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: gain and bias [width], and what is added to the variance."""

    gain: FloatArray
    bias: FloatArray
    epsilon: float


@dataclass(frozen=True, slots=True)
class Linear:
    """A weight [out, in] and a bias [out]."""

    weight: FloatArray
    bias: FloatArray


@dataclass(frozen=True, slots=True)
class EncoderLayer:
    """One layer, normalised after each sum. `query_key_value` has the three stacked."""

    query_key_value: Linear
    output: Linear
    attention_norm: Norm
    up: Linear
    down: Linear
    feed_forward_norm: Norm


def side_by_side(*parts: Linear) -> Linear:
    """Several products of the same input as one."""
    return Linear(
        np.concatenate([part.weight for part in parts]), np.concatenate([part.bias for part in parts])
    )


def normalise(graph: GraphBuilder, rows: str, norm: Norm) -> str:
    """Normalises each row."""
    gain, bias = graph.constant("gain", norm.gain), graph.constant("bias", norm.bias)
    return graph.node("LayerNormalization", rows, gain, bias, axis=-1, epsilon=norm.epsilon)


def finish_layer(
    graph: GraphBuilder, products: Products, rows: str, attended: str, layer: EncoderLayer
) -> str:
    """The rest of a layer once attention has looked: output projection, feed-forward network, both sums.

    Args:
        graph: Where to.
        products: How to multiply.
        rows: The layer's input, float32 [rows, width].
        attended: What attention gave for the same rows.
        layer: The weights.
    """
    update = products.multiply(graph, "output", attended, layer.output.weight)
    rows = _add_and_normalise(graph, rows, update, layer.output, layer.attention_norm)
    wide = products.multiply(graph, "up", rows, layer.up.weight)
    active = graph.node("BiasGelu", wide, graph.constant("bias", layer.up.bias), domain=RUNTIME_DOMAIN)
    update = products.multiply(graph, "down", active, layer.down.weight)
    return _add_and_normalise(graph, rows, update, layer.down, layer.feed_forward_norm)


def _add_and_normalise(graph: GraphBuilder, rows: str, update: str, made_by: Linear, norm: Norm) -> str:
    # One sum of three, not two additions: those the runtime would fuse with the normalisation into a kernel that
    # takes four times as long.
    return normalise(graph, graph.node("Sum", rows, update, graph.constant("bias", made_by.bias)), norm)
