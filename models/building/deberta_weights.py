"""Reads a DeBERTa classifier out of an ONNX graph that optimum exported and quantised dynamically."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from models.building.deberta_graph import DebertaWeights, DistanceTables, UnsignedTable
from models.building.encoder_layers import EncoderLayer, Linear, Norm, side_by_side
from models.building.products import FloatArray

Wide = NDArray[np.float64]

_HEADS = 6
_LAYERS = 12
_EPSILON = 1e-7
_BUCKETS = 256
"""Distances up to half as far have a bucket each; farther ones share."""
_FARTHEST = 512
_SCORE_TERMS = 3
"""Attention's scores are sums of three products: content, and either way of distance."""


def read_deberta(graph: Path, positions: int, contradiction: int) -> DebertaWeights:
    """Reads the weights, and computes what distances contribute.

    Args:
        graph: The quantised ONNX graph.
        positions: The longest input in tokens.
        contradiction: Which class is contradiction.

    Raises:
        KeyError: a weight is missing.
    """
    source = _Source(onnx.load_model(graph))
    distances = source.distances(positions)
    encoder = [f"deberta/encoder/layer.{index}" for index in range(_LAYERS)]
    return DebertaWeights(
        heads=_HEADS,
        positions=positions,
        words=source.words(),
        embedding_norm=source.norm("deberta/embeddings/LayerNorm"),
        layers=tuple(_layer(source, name) for name in encoder),
        distances=tuple(_tables(source, f"{name}/attention/self", distances) for name in encoder),
        pooler=source.linear("pooler/dense", "m.pooler.dense.weight"),
        classes=source.linear("classifier", "m.classifier.weight"),
        contradiction=contradiction,
    )


class _Source:
    """The package's graph: its constants by the modules that they belong to."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._constants: Mapping[str, NDArray[Any]] = {
            constant.name: numpy_helper.to_array(constant) for constant in model.graph.initializer
        }
        self._weights = {
            node.output[0].split("/MatMul_output_0")[0]: node.input[1].removesuffix("_quantized")
            for node in model.graph.node
            if node.op_type == "MatMulInteger"
        }

    def constant(self, module: str, name: str) -> NDArray[Any]:
        """A constant that has kept its name."""
        return self._constants[f"m.{module.replace('/', '.')}.{name}"]

    def norm(self, module: str) -> Norm:
        """A layer normalisation."""
        return Norm(self.constant(module, "weight"), self.constant(module, "bias"), _EPSILON)

    def linear(self, module: str, weight: str | None = None) -> Linear:
        """A product of which the package has an int8 weight, with one scale for the whole of it."""
        name = weight or self._weights[f"/m/{module}"]
        values = self._constants[f"{name}_quantized"].T.astype(np.float32)
        return Linear(values * self._constants[f"{name}_scale"], self.constant(module, "bias"))

    def exact(self, module: str) -> tuple[FloatArray, FloatArray]:
        """Weight [out, in] and bias of a product whose float32 weight the package holds too."""
        return self._constants[self._weights[f"/m/{module}"]].T, self.constant(module, "bias")

    def words(self) -> UnsignedTable:
        """The embedding table."""
        name = "m.deberta.embeddings.word_embeddings.weight"
        return UnsignedTable(self._constants[f"{name}_quantized"], float(self._constants[f"{name}_scale"]))

    def distances(self, positions: int) -> Wide:
        """The normalised embedding of every distance from `1 - positions` to `positions - 1`, one a row."""
        table = self.constant("deberta/encoder/rel_embeddings", "weight").astype(np.float64)
        norm = self.norm("deberta/encoder/LayerNorm")
        spread = np.sqrt(table.var(axis=1, keepdims=True) + norm.epsilon)
        normed = (table - table.mean(axis=1, keepdims=True)) / spread * norm.gain + norm.bias
        wide: Wide = normed[_buckets(np.arange(1 - positions, positions)) + _BUCKETS]
        return wide


def _buckets(distances: NDArray[np.int64]) -> NDArray[np.int64]:
    """Near distances are their own bucket, farther ones share a bucket the more the farther (He et al., 2021)."""
    near = _BUCKETS // 2
    magnitude = np.maximum(np.abs(distances), near)
    shared = np.ceil(np.log(magnitude / near) / np.log((_FARTHEST - 1) / near) * (near - 1)) + near
    return np.where(np.abs(distances) <= near, distances, np.sign(distances) * shared).astype(np.int64)


def _layer(source: _Source, name: str) -> EncoderLayer:
    def projection(which: str, scale: float = 1.0) -> Linear:
        weight, bias = source.exact(f"{name}/attention/self/{which}_proj")
        return Linear(weight * np.float32(scale), bias * np.float32(scale))

    return EncoderLayer(
        query_key_value=side_by_side(
            projection("query", _query_scale(source, name)),
            projection("key"),
            source.linear(f"{name}/attention/self/value_proj"),
        ),
        output=source.linear(f"{name}/attention/output/dense"),
        attention_norm=source.norm(f"{name}/attention/output/LayerNorm"),
        up=source.linear(f"{name}/intermediate/dense"),
        down=source.linear(f"{name}/output/dense"),
        feed_forward_norm=source.norm(f"{name}/output/LayerNorm"),
    )


def _query_scale(source: _Source, name: str) -> float:
    """What attention's scores are multiplied by."""
    width = len(source.constant(f"{name}/attention/self/query_proj", "bias"))
    return float(1 / np.sqrt(_SCORE_TERMS * width // _HEADS))


def _tables(source: _Source, attention: str, distances: Wide) -> DistanceTables:
    """Projects distances as the layer projects tokens: the weights are shared."""

    def projected(which: str) -> FloatArray:
        weight, bias = source.exact(f"{attention}/{which}_proj")
        # Without BLAS, in double precision: the same bytes on every machine once rounded.
        rows = np.einsum("di,oi->do", distances, weight.astype(np.float64)) + bias
        by_head: FloatArray = rows.reshape(len(rows), _HEADS, -1).transpose(1, 0, 2).astype(np.float32)
        return by_head

    scale = np.float32(_query_scale(source, attention.removesuffix("/attention/self")))
    return DistanceTables(keys=projected("key")[:, ::-1], queries=projected("query") * scale)
