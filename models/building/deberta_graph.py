"""Writes a DeBERTa classifier of pairs as an ONNX graph: token ids in, the probability of contradiction out.

Inputs: `input_ids` and `attention_mask`, int64 [batch, tokens]; a pair's two texts are told apart by the separator.
Output: `contradiction_probability`, float32 [batch].

Attention is disentangled (He et al., 2021): beside each query's product with each key, a query is multiplied by
the key of the distance to the other token, and a key by the query of that distance. What distances give is
constant, so it is computed when the graph is built, one row for each distance instead of one for each bucket of
distances. A product with neighbouring distances then holds the wanted numbers on its diagonals, and a slice of
the flattened product brings them into columns.
"""

from dataclasses import dataclass, replace

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto

from models.building.encoder_layers import EncoderLayer, Linear, Norm, finish_layer, normalise
from models.building.products import FloatArray, Products
from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.layout import CONTRADICTION_OUTPUT

_MASKED = -1e9


@dataclass(frozen=True, slots=True)
class UnsignedTable:
    """An embedding table as the package quantised it: `(values - zero point) * scale`, one of each for the table.

    Attributes:
        values: uint8 [vocabulary, width].
        scale: What a step of a value is.
    """

    values: NDArray[np.uint8]
    scale: float


@dataclass(frozen=True, slots=True)
class DistanceTables:
    """What distances contribute to one layer's attention; both hold 2 * positions - 1 distances.

    Attributes:
        keys: float32 [heads, distances, head width]; row `d` is of `key position - query position = d + 1 - positions`.
        queries: The same of `query position - key position`, scaled as the queries are.
    """

    keys: FloatArray
    queries: FloatArray


@dataclass(frozen=True, slots=True)
class DebertaWeights:
    """A DeBERTa classifier. The queries' scaling is in their weights already.

    Attributes:
        heads: Attention heads of a layer.
        positions: The longest input in tokens.
        words: The embedding table [vocabulary, width].
        embedding_norm: Of the embeddings.
        layers: From first to last.
        distances: Of each layer.
        pooler: Applied to the first token's state, before GELU.
        classes: Gives the logits.
        contradiction: Which class is contradiction.
    """

    heads: int
    positions: int
    words: UnsignedTable
    embedding_norm: Norm
    layers: tuple[EncoderLayer, ...]
    distances: tuple[DistanceTables, ...]
    pooler: Linear
    classes: Linear
    contradiction: int


def deberta_model(weights: DebertaWeights, products: Products) -> onnx.ModelProto:
    """The graph described at the head of this file."""
    graph = GraphBuilder()
    input_ids = graph.input("input_ids", "int64", ["batch", "tokens"])
    attention_mask = graph.input("attention_mask", "int64", ["batch", "tokens"])
    width = weights.words.values.shape[1]
    attention = _Attention(graph, weights, input_ids, attention_mask)

    words = graph.node("Gather", graph.constant("words", weights.words.values), input_ids, axis=0)
    # A normalisation takes away what all channels share: the table's zero point and, but for epsilon, its scale.
    norm = replace(weights.embedding_norm, epsilon=weights.embedding_norm.epsilon / weights.words.scale**2)
    states = normalise(graph, graph.node("Cast", words, to=TensorProto.FLOAT), norm)
    rows = graph.reshape(states, -1, width)
    for index, (layer, distances) in enumerate(zip(weights.layers, weights.distances, strict=True)):
        packed = products.multiply(graph, "query_key_value", rows, layer.query_key_value.weight)
        attended = attention.look(packed, layer.query_key_value.bias, distances)
        if index == len(weights.layers) - 1:  # only the first token's state goes on
            attended, rows = attention.first_tokens(attended), attention.first_tokens(rows)
        rows = finish_layer(graph, products, rows, attended, layer)

    pooled = products.multiply(graph, "pooler", rows, weights.pooler.weight)
    bias = graph.constant("bias", weights.pooler.bias)
    active = graph.node("BiasGelu", pooled, bias, domain=RUNTIME_DOMAIN)
    logits = graph.node(
        "Gemm",
        active,
        graph.constant("classes", weights.classes.weight),
        graph.constant("bias", weights.classes.bias),
        transB=1,
    )
    label = graph.integers(weights.contradiction)
    probability = graph.node("Gather", graph.node("Softmax", logits, axis=-1), label, axis=1)
    graph.output(CONTRADICTION_OUTPUT, graph.reshape(probability, -1), "float32", ["batch"])
    return graph.model("contradiction")


class _Attention:
    """Disentangled self-attention; mask and window of distances are the same in every layer."""

    def __init__(
        self, graph: GraphBuilder, weights: DebertaWeights, input_ids: str, attention_mask: str
    ) -> None:
        self._graph = graph
        self._heads = weights.heads
        self._width = weights.words.values.shape[1]
        self._shape = graph.node("Shape", input_ids)
        length = graph.node("Shape", input_ids, start=1, end=2)
        kept = graph.node("Cast", attention_mask, to=TensorProto.FLOAT)
        masked = graph.node("Mul", graph.node("Sub", kept, graph.scalar(1)), graph.scalar(-_MASKED))
        self._mask = graph.node("Unsqueeze", masked, graph.integers(1, 2))

        one, positions = graph.integers(1), graph.integers(weights.positions)
        self._first = graph.node("Sub", positions, length)
        self._end = graph.node("Sub", graph.node("Add", positions, length), one)
        self._length = length
        self._start = graph.node("Sub", length, one)
        # A row has 2 * length - 1 distances; the wanted ones lie 2 * length - 2 apart from row to row.
        apart = graph.node("Mul", self._start, graph.integers(2))
        self._stop = graph.node("Add", self._start, graph.node("Mul", apart, length))
        heads = graph.integers(weights.heads)
        outer = graph.node("Shape", input_ids, start=0, end=1)
        self._flat = graph.node("Concat", outer, heads, graph.integers(-1), axis=0)
        self._columns = graph.node("Concat", outer, heads, length, apart, axis=0)
        self._packed = graph.node(
            "Concat", self._shape, graph.integers(3, weights.heads, self._width // weights.heads), axis=0
        )
        self._by_input = graph.node("Concat", self._shape, graph.integers(self._width), axis=0)

    def look(self, packed: str, bias: FloatArray, distances: DistanceTables) -> str:
        """Attends: packed queries, keys and values [rows, 3 * width], without their bias, to [rows, width]."""
        graph = self._graph
        biased = graph.node("Add", packed, graph.constant("bias", bias))
        by_head = graph.node("Transpose", graph.node("Reshape", biased, self._packed), perm=[2, 0, 3, 1, 4])
        queries, keys, values = (
            graph.node("Squeeze", part, graph.integers(0))
            for part in graph.nodes("Split", by_head, graph.integers(1, 1, 1), outputs=3, axis=0)
        )
        to_distance = self._by_distance(queries, "distance_keys", distances.keys)
        from_distance = self._by_distance(keys, "distance_queries", distances.queries)
        scores = graph.node("Add", self._times(queries, keys), to_distance)
        scores = graph.node("Add", scores, graph.node("Transpose", from_distance, perm=[0, 1, 3, 2]))
        weights = graph.node("Softmax", graph.node("Add", scores, self._mask), axis=-1)
        attended = graph.node("Transpose", graph.node("MatMul", weights, values), perm=[0, 2, 1, 3])
        return graph.reshape(attended, -1, self._width)

    def first_tokens(self, rows: str) -> str:
        """Of [batch * tokens, width] the first row of each input: [batch, width]."""
        graph = self._graph
        by_input = graph.node("Reshape", rows, self._by_input)
        return graph.reshape(graph.node("Gather", by_input, graph.integers(0), axis=1), -1, self._width)

    def _times(self, left: str, right: str) -> str:
        return self._graph.node("FusedMatMul", left, right, domain=RUNTIME_DOMAIN, transB=1)

    def _by_distance(self, vectors: str, name: str, table: NDArray[np.float32]) -> str:
        """[batch, heads, tokens, tokens]: each token's vector times the table's row for the distance to each."""
        graph = self._graph
        window = graph.node("Slice", graph.constant(name, table), self._first, self._end, graph.integers(1))
        flat = graph.node("Reshape", self._times(vectors, window), self._flat)
        diagonals = graph.node("Slice", flat, self._start, self._stop, graph.integers(2))
        columns = graph.node("Reshape", diagonals, self._columns)
        return graph.node("Slice", columns, graph.integers(0), self._length, graph.integers(3))
