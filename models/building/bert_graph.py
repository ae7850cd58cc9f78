"""Writes a BERT encoder with mean pooling as an ONNX graph: token ids in, a unit vector for each text out.

Inputs: `input_ids` and `attention_mask`, int64 [batch, tokens]. Output: `sentence_embedding`, float32
[batch, width], L2-normalised. All tokens are of the first type: texts are embedded one by one, not in pairs.
"""

from dataclasses import dataclass

import onnx
from onnx import TensorProto

from models.building.encoder_layers import EncoderLayer, Norm, finish_layer, normalise
from models.building.products import FloatArray, Int8Matrix, Products, look_up
from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.layout import EMBEDDING_OUTPUT


@dataclass(frozen=True, slots=True)
class BertWeights:
    """A BERT encoder.

    Attributes:
        heads: Attention heads of a layer.
        words: The embedding table [vocabulary, width].
        positions: What is added for each position, and for the first token type [positions, width].
        embedding_norm: Of the sum of both.
        layers: From first to last.
    """

    heads: int
    words: Int8Matrix
    positions: FloatArray
    embedding_norm: Norm
    layers: tuple[EncoderLayer, ...]


def bert_model(weights: BertWeights, products: Products) -> onnx.ModelProto:
    """The graph described at the head of this file."""
    width = weights.words.values.shape[1]
    graph = GraphBuilder()
    input_ids = graph.input("input_ids", "int64", ["batch", "tokens"])
    attention_mask = graph.input("attention_mask", "int64", ["batch", "tokens"])
    mask = graph.node("Cast", attention_mask, to=TensorProto.INT32)

    words = look_up(graph, "words", input_ids, weights.words)
    length = graph.node("Shape", input_ids, start=1, end=2)
    positions = graph.node(
        "Slice", graph.constant("positions", weights.positions), graph.integers(0), length, graph.integers(0)
    )
    states = normalise(graph, graph.node("Add", words, positions), weights.embedding_norm)
    shape = graph.node("Shape", states)
    rows = graph.reshape(states, -1, width)
    for layer in weights.layers:
        packed = products.multiply(graph, "query_key_value", rows, layer.query_key_value.weight)
        parts = graph.nodes("Split", packed, graph.integers(width, width, width), outputs=3, axis=1)
        attended = graph.node(
            "MultiHeadAttention",
            *(graph.node("Reshape", part, shape) for part in parts),
            graph.constant("bias", layer.query_key_value.bias),
            mask,
            domain=RUNTIME_DOMAIN,
            num_heads=weights.heads,
        )
        rows = finish_layer(graph, products, rows, graph.reshape(attended, -1, width), layer)
    _pool(graph, graph.node("Reshape", rows, shape), attention_mask, width)
    return graph.model("sentence-embedding")


def _pool(graph: GraphBuilder, states: str, attention_mask: str, width: int) -> None:
    """The mean over the tokens that are no padding, normalised; the mean's divisor cancels out."""
    kept = graph.node(
        "Unsqueeze", graph.node("Cast", attention_mask, to=TensorProto.FLOAT), graph.integers(1)
    )
    total = graph.reshape(graph.node("MatMul", kept, states), -1, width)
    length = graph.node("ReduceL2", total, graph.integers(1), keepdims=1)
    graph.output(EMBEDDING_OUTPUT, graph.node("Div", total, length), "float32", ["batch", width])
