"""How an encoder's graph multiplies by its weights: in int8, or in float32."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.causal.rotation import orthogonal

FloatArray = NDArray[np.float32]

LEVELS = 127
SPREAD = 32
"""Channels that are mixed before they are quantised."""

_ZERO_POINT = np.array(128, np.uint8)
_SMALLEST_SCALE = np.float32(1e-12)


@dataclass(frozen=True, slots=True)
class Int8Matrix:
    """A weight or a table in int8.

    Attributes:
        values: int8 [rows, columns].
        scales: float32 [rows]; a row's values times its scale are the row.
    """

    values: NDArray[np.int8]
    scales: FloatArray


def quantised(matrix: FloatArray) -> Int8Matrix:
    """The nearest int8 matrix, a scale for each row."""
    scales = np.maximum(np.abs(matrix).max(axis=1) / LEVELS, _SMALLEST_SCALE).astype(np.float32)
    return Int8Matrix(np.rint(matrix / scales[:, None]).astype(np.int8), scales)


def look_up(graph: GraphBuilder, name: str, ids: str, table: Int8Matrix) -> str:
    """Rows of a table: int64 [...] to float32 [..., width]. Only the rows that are asked for are scaled."""
    rows = graph.node("Gather", graph.constant(name, table.values), ids, axis=0)
    scales = graph.node("Gather", graph.constant(f"{name}_scales", table.scales[:, None]), ids, axis=0)
    return graph.node("Mul", graph.node("Cast", rows, to=TensorProto.FLOAT), scales)


class Products(Protocol):
    """Multiplies by weights."""

    def multiply(self, graph: GraphBuilder, name: str, rows: str, weight: FloatArray) -> str:
        """float32 [rows, in] times a weight [out, in]: float32 [rows, out]."""
        ...


class FloatProducts:
    """Multiplies by the weights as they are: the reference for int8, and what a GPU runs."""

    def multiply(self, graph: GraphBuilder, name: str, rows: str, weight: FloatArray) -> str:
        """See `Products`."""
        return graph.node("MatMul", rows, graph.constant(name, weight.T))


class Int8Products:
    """Multiplies u8 activations by s8 weights, the form of VNNI instructions; a quarter of float32's memory.

    Every row of activations has a scale of its own, from its largest magnitude, so that a text's result does not
    depend on what else is in the batch. A few channels of an encoder are far larger than the others and would cost
    the others their precision: a Hadamard transform of every 32 channels spreads them first, and its inverse is
    folded into the weight.
    """

    def multiply(self, graph: GraphBuilder, name: str, rows: str, weight: FloatArray) -> str:
        """See `Products`."""
        width = weight.shape[1]
        mixing = orthogonal(SPREAD)
        matrix = quantised((weight.reshape(-1, SPREAD) @ mixing.T).reshape(weight.shape).astype(np.float32))
        mixed = graph.node(
            "MatMul", graph.reshape(rows, -1, SPREAD), graph.constant("mixing", mixing.T.astype(np.float32))
        )
        rows = graph.reshape(mixed, -1, width)
        largest = graph.node("ReduceMax", graph.node("Abs", rows), graph.integers(1), keepdims=1)
        scales = graph.node("Mul", largest, graph.scalar(1 / LEVELS))
        unit, zero_point = graph.scalar(1), graph.constant("zero_point", _ZERO_POINT)
        product = graph.node(
            "MatMulIntegerToFloat",
            graph.node("QuantizeLinear", graph.node("Div", rows, scales), unit, zero_point),
            graph.constant(name, matrix.values.T),
            unit,
            graph.constant(f"{name}_scales", matrix.scales),
            zero_point,
            domain=RUNTIME_DOMAIN,
        )
        return graph.node("Mul", product, scales)
