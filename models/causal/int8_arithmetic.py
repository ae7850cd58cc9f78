"""Weights and activations in int8, activations with a scale of their own for every row.

A row's scale is its largest magnitude / 127, found when it is computed, so that no row depends on another.
Weights have one scale per output channel. Products are u8 x s8, the form that VNNI instructions multiply.
"""

import numpy as np
from numpy.typing import NDArray

from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.causal.weights import FloatArray

LEVELS = 127
ZERO_POINT = 128
SMALLEST_SCALE = np.float32(1e-12)


def quantise_rows(matrix: FloatArray) -> tuple[NDArray[np.int8], FloatArray]:
    """Each row as int8 and the scale that gives it back: [rows, columns], [rows]."""
    scales = np.maximum(np.abs(matrix).max(axis=1) / LEVELS, SMALLEST_SCALE).astype(np.float32)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales


class Int8Arithmetic:
    """Multiplies int8 by int8 and keeps everything between the products in float32."""

    def embed(self, graph: GraphBuilder, token_ids: str, table: FloatArray) -> str:
        """See `Arithmetic`."""
        rows, scales = quantise_rows(table)
        looked_up = graph.node("Gather", graph.constant("embedding", rows), token_ids, axis=0)
        scale = graph.node("Gather", graph.constant("embedding_scales", scales[:, None]), token_ids, axis=0)
        return graph.node("Mul", graph.node("Cast", looked_up, to=1), scale)

    def project(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """See `Arithmetic`."""
        weight, weight_scales = quantise_rows(matrix)
        largest = graph.node("ReduceMax", graph.node("Abs", rows), graph.integers(1), keepdims=0)
        scale = graph.node("Mul", largest, graph.constant("level", np.array(1 / LEVELS, dtype=np.float32)))
        zero_points = graph.node(
            "Expand",
            graph.constant("zero_point", np.array(ZERO_POINT, dtype=np.uint8)),
            graph.node("Shape", scale),
        )
        quantised = graph.node("QuantizeLinear", rows, scale, zero_points, axis=0)
        product = graph.node(
            "MatMulIntegerToFloat",
            quantised,
            graph.constant(name, weight.T),
            graph.constant("one", np.array(1, dtype=np.float32)),
            graph.constant(f"{name}_scales", weight_scales),
            graph.constant("zero_point", np.array(ZERO_POINT, dtype=np.uint8)),
            domain=RUNTIME_DOMAIN,
        )
        return graph.node("Mul", product, graph.node("Unsqueeze", scale, graph.integers(1)))
