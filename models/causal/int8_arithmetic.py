"""Weights and activations in int8: products of u8 and s8, the form that VNNI instructions multiply.

Weights have one scale per output channel. The scale of an activation never depends on another row, so that a
token's score does not depend on what else is in the batch:

- What a normalisation gives has a root mean square of one, and once rotated (`rotation.py`) its entries are
  nearly normally distributed, so one constant scale fits every row of what goes into the gates and the head.
- What goes into attention, what comes out of it and what comes out of the gates get a scale for each row, from
  its largest magnitude. The gates' results have lone spikes, which a Hadamard transform of every 32 channels
  spreads first; its inverse is folded into the weights.
"""

import numpy as np
import onnx
from numpy.typing import NDArray

from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.causal.rotation import orthogonal
from models.causal.weights import FloatArray

LEVELS = 127
ZERO_POINT = np.array(128, dtype=np.uint8)
NORMALISED_LIMIT = 4.0
"""Normalised activations beyond so many root mean squares are cut off."""
SPREAD = 32
"""Channels that are mixed before the down projection."""
SMALLEST_SCALE = np.float32(1e-12)


def quantise_rows(matrix: FloatArray) -> tuple[NDArray[np.int8], FloatArray]:
    """Each row as int8 and the scale that gives it back: [rows, columns], [rows]."""
    scales = np.maximum(np.abs(matrix).max(axis=1) / LEVELS, SMALLEST_SCALE).astype(np.float32)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales


class Int8Arithmetic:
    """Multiplies int8 by int8 and keeps everything between the products in float32. Wants rotated weights.

    An instance writes one graph.
    """

    def __init__(self) -> None:
        self._row_zero_points: str | None = None

    def embed(self, graph: GraphBuilder, token_ids: str, table: FloatArray) -> str:
        """See `Arithmetic`."""
        half = graph.constant("embedding", table.astype(np.float16))
        return graph.node("Cast", graph.node("Gather", half, token_ids, axis=0), to=onnx.TensorProto.FLOAT)

    def project_normalised(
        self, graph: GraphBuilder, name: str, rows: str, *matrices: FloatArray
    ) -> list[str]:
        """See `Arithmetic`."""
        scale = graph.scalar(NORMALISED_LIMIT / LEVELS)
        quantised = graph.node("QuantizeLinear", rows, scale, self._zero_point(graph))
        return [self._product(graph, name, quantised, scale, matrix) for matrix in matrices]

    def project(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """See `Arithmetic`."""
        largest = graph.node("ReduceMax", graph.node("Abs", rows), graph.integers(1), keepdims=0)
        scales = graph.node("Mul", largest, graph.scalar(1 / LEVELS))
        quantised = graph.node("QuantizeLinear", rows, scales, self._zero_points(graph, scales), axis=0)
        product = self._product(graph, name, quantised, graph.scalar(1), matrix)
        return graph.node("Mul", product, graph.node("Unsqueeze", scales, graph.integers(1)))

    def project_gated(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """See `Arithmetic`."""
        mixing = orthogonal(SPREAD)
        mixed = graph.node(
            "MatMul", graph.reshape(rows, -1, SPREAD), graph.constant("mixing", mixing.T.astype(np.float32))
        )
        outputs, inputs = matrix.shape
        unmixed = (matrix.reshape(-1, SPREAD) @ mixing.T).reshape(outputs, inputs).astype(np.float32)
        return self.project(graph, name, graph.reshape(mixed, -1, inputs), unmixed)

    def _product(self, graph: GraphBuilder, name: str, rows: str, scale: str, matrix: FloatArray) -> str:
        weight, weight_scales = quantise_rows(matrix)
        return graph.node(
            "MatMulIntegerToFloat",
            rows,
            graph.constant(name, weight.T),
            scale,
            graph.constant(f"{name}_scales", weight_scales),
            self._zero_point(graph),
            domain=RUNTIME_DOMAIN,
        )

    def _zero_point(self, graph: GraphBuilder) -> str:
        return graph.constant("zero_point", ZERO_POINT)

    def _zero_points(self, graph: GraphBuilder, scales: str) -> str:
        """The zero point once for each row; the rows are the same for every product."""
        if self._row_zero_points is None:
            rows = graph.node("Shape", scales)
            self._row_zero_points = graph.node("Expand", self._zero_point(graph), rows)
        return self._row_zero_points
