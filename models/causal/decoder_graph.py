"""Writes the decoder as an ONNX graph: new tokens and paged past in, token NLLs and their keys/values out.

Inputs (`B` sequences, `N` new tokens each, right-padded, `G` pages of room each, `R` scored rows):

| name | type, shape | what |
|---|---|---|
| `token_ids` | int64 [B, N] | the tokens that are not cached yet |
| `past_lengths` | int64 [B] | how many tokens of each sequence are cached |
| `past_pages` | int64 [2 layers, B, kv_heads, G] | rows of `pages` that hold them; any row for the new |
| `pages` | float16 [rows, page_tokens * head_width] | the page store |
| `scored_rows` | int64 [R] | rows of the flattened [B * N] that predict something |
| `targets` | int64 [R, C] | candidates for the token after each scored row |
| `continued_rows` | int64 [S] | which of the R rows need their likeliest continuations |
| `continuations` | int64 [1] | how many |

Outputs: `nll` float32 [R, C] in nats; `present` float16 [2 layers, B, kv_heads, N, head_width]: the new
tokens' keys and values, the keys already rotated; `continuation_ids` int64 and `continuation_nll` float32
[S, continuations].
"""

from typing import Protocol

import numpy as np
import onnx

from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.causal.rotary import rotary_angles
from models.causal.weights import FloatArray, LayerWeights, LlamaConfig, LlamaWeights, Norm

ATTENTION_OPSET = 23
"""The first with an Attention operator."""
MASKED = np.array(-1e9, dtype=np.float32)


class Arithmetic(Protocol):
    """How the graph multiplies by weights: in float32, or in int8."""

    def embed(self, graph: GraphBuilder, token_ids: str, table: FloatArray) -> str:
        """Looks up rows of the embedding table: int64 [tokens] to float32 [tokens, width]."""
        ...

    def project_normalised(
        self, graph: GraphBuilder, name: str, rows: str, *matrices: FloatArray
    ) -> list[str]:
        """Multiplies float32 [rows, in], of root mean square one, by constants [out, in]: float32 [rows, out]."""
        ...

    def project(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """The same for one matrix and rows of any size."""
        ...

    def project_gated(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """The same for rows that come out of a gated unit, which now and then has lone spikes."""
        ...


def decoder_model(weights: LlamaWeights, arithmetic: Arithmetic) -> onnx.ModelProto:
    """The whole graph described at the head of this file."""
    config = weights.config
    graph = GraphBuilder()
    token_ids = graph.input("token_ids", "int64", ["B", "N"])
    past_lengths = graph.input("past_lengths", "int64", ["B"])
    past_pages = graph.input("past_pages", "int64", [2 * config.layers, "B", config.kv_heads, "G"])
    pages = graph.input("pages", "float16", ["rows", "page_width"])
    attention = _Attention(graph, config, token_ids, past_lengths, past_pages, pages)

    residual = arithmetic.embed(graph, graph.reshape(token_ids, -1), weights.embedding)
    update: str | None = None
    for layer in weights.layers:
        normed, residual = _add_and_normalise(graph, residual, update, layer.attention_norm)
        packed = np.concatenate([layer.query, layer.key, layer.value])
        # A scale for each row, though the rows are normalised: attention is exponential in what is rounded here.
        queries_keys_values = arithmetic.project(graph, "query_key_value", normed, packed)
        update = arithmetic.project(graph, "output", attention.layer(queries_keys_values), layer.output)
        normed, residual = _add_and_normalise(graph, residual, update, layer.feed_forward_norm)
        update = _feed_forward(graph, arithmetic, normed, layer)
    if update is not None:
        residual = graph.node("Add", residual, update)
    _head(graph, arithmetic, weights, residual)
    graph.output(
        "present",
        attention.all_present(),
        "float16",
        [2 * config.layers, "B", config.kv_heads, "N", config.head_width],
    )
    return graph.model("decoder", ATTENTION_OPSET)


def _add_and_normalise(graph: GraphBuilder, residual: str, update: str | None, norm: Norm) -> tuple[str, str]:
    """Adds a layer's update to the residual stream; returns its RMS-normalised form and the sum."""
    if update is None:
        return _normalise(graph, residual, norm), residual
    names = graph.nodes(
        "SkipSimplifiedLayerNormalization",
        residual,
        update,
        graph.constant("gain", norm.gain),
        outputs=4,
        unused=(1, 2),
        domain=RUNTIME_DOMAIN,
        epsilon=norm.epsilon,
    )
    return names[0], names[3]


def _normalise(graph: GraphBuilder, rows: str, norm: Norm) -> str:
    gain = graph.constant("gain", norm.gain)
    return graph.node("SimplifiedLayerNormalization", rows, gain, axis=-1, epsilon=norm.epsilon)


def _feed_forward(graph: GraphBuilder, arithmetic: Arithmetic, rows: str, layer: LayerWeights) -> str:
    """SwiGLU: down(silu(gate) * up)."""
    gate, up = arithmetic.project_normalised(graph, "gate_up", rows, layer.gate, layer.up)
    activated = graph.node("QuickGelu", gate, domain=RUNTIME_DOMAIN, alpha=1.0)
    return arithmetic.project_gated(graph, "down", graph.node("Mul", activated, up), layer.down)


def _head(graph: GraphBuilder, arithmetic: Arithmetic, weights: LlamaWeights, residual: str) -> None:
    """Scores only the rows asked for, and returns probabilities of the candidates alone."""
    scored_rows = graph.input("scored_rows", "int64", ["R"])
    targets = graph.input("targets", "int64", ["R", "C"])
    continued_rows = graph.input("continued_rows", "int64", ["S"])
    continuations = graph.input("continuations", "int64", [1])

    rows = graph.node("Gather", residual, scored_rows, axis=0)
    normed = _normalise(graph, rows, weights.final_norm)
    [logits] = arithmetic.project_normalised(graph, "head", normed, weights.head)
    log_probabilities = graph.node("LogSoftmax", logits, axis=-1)
    chosen = graph.node("GatherElements", log_probabilities, targets, axis=1)
    graph.output("nll", graph.node("Neg", chosen), "float32", ["R", "C"])

    continued = graph.node("Gather", log_probabilities, continued_rows, axis=0)
    likeliest, ids = graph.nodes("TopK", continued, continuations, outputs=2, axis=-1)
    graph.output("continuation_nll", graph.node("Neg", likeliest), "float32", ["S", "K"])
    graph.output("continuation_ids", ids, "int64", ["S", "K"])


class _Attention:
    """Grouped-query attention over a paged past, every layer with the same mask and positions."""

    def __init__(
        self,
        graph: GraphBuilder,
        config: LlamaConfig,
        token_ids: str,
        past_lengths: str,
        past_pages: str,
        pages: str,
    ) -> None:
        self._graph = graph
        self._config = config
        self._pages = pages
        count = 2 * config.layers
        self._page_rows = graph.nodes("Split", past_pages, outputs=count, axis=0, num_outputs=count)
        heads, kv_heads, head_width = config.heads, config.kv_heads, config.head_width
        length = graph.node("Shape", token_ids, start=1, end=2)
        capacity = self._capacity(past_pages)
        starts = graph.node("Unsqueeze", past_lengths, graph.integers(1))
        self._positions = graph.node("Add", starts, self._range(length))
        self._mask = self._causal_mask(capacity)
        self._by_token = self._shape(-1, length, heads + 2 * kv_heads, head_width)
        self._by_head = self._shape(-1, heads, length, head_width)
        self._by_position = self._shape(-1, kv_heads, capacity, head_width)
        self._places_of_new = self._places(graph.node("Shape", past_lengths), length)
        self._by_plane = self._shape(count, -1, kv_heads, length, head_width)
        angles = rotary_angles(config, config.context_length)
        self._cosines = graph.constant("cosines", np.cos(angles).astype(np.float32))
        self._sines = graph.constant("sines", np.sin(angles).astype(np.float32))
        self._present: list[str] = []

    def all_present(self) -> str:
        """Every layer's new keys and values: float16 [2 layers, B, kv_heads, N, head_width]."""
        graph = self._graph
        return graph.node("Reshape", graph.node("Concat", *self._present, axis=0), self._by_plane)

    def layer(self, queries_keys_values: str) -> str:
        """Attends: packed float32 [B * N, (heads + 2 kv_heads) * head_width] to [B * N, width]."""
        graph, config = self._graph, self._config
        by_token = graph.node("Reshape", queries_keys_values, self._by_token)
        by_head = graph.node("Transpose", by_token, perm=[0, 2, 1, 3])
        sizes = graph.integers(config.heads + config.kv_heads, config.kv_heads)
        queries_keys, values = graph.nodes("Split", by_head, sizes, outputs=2, axis=1)
        rotated = graph.node(
            "RotaryEmbedding",
            queries_keys,
            self._positions,
            self._cosines,
            self._sines,
            domain=RUNTIME_DOMAIN,
        )
        queries, keys = graph.nodes(
            "Split", rotated, graph.integers(config.heads, config.kv_heads), outputs=2, axis=1
        )
        all_keys, all_values = self._recall_with(keys), self._recall_with(values)
        # Query heads that share a key head become more rows of one product.
        grouped = graph.reshape(queries, 0, config.kv_heads, -1, config.head_width)
        mixed = graph.node(
            "Attention", grouped, all_keys, all_values, self._mask, scale=config.head_width**-0.5
        )
        by_query = graph.node("Transpose", graph.node("Reshape", mixed, self._by_head), perm=[0, 2, 1, 3])
        return graph.reshape(by_query, -1, config.width)

    def _shape(self, *dimensions: int | str) -> str:
        """A shape of which some dimensions are known only when the graph runs."""
        graph = self._graph
        parts = [graph.integers(size) if isinstance(size, int) else size for size in dimensions]
        return graph.node("Concat", *parts, axis=0)

    def _recall_with(self, new: str) -> str:
        """The next layer's cached keys or values with the new ones put in their places.

        Every token stands at its own position, whether it was cached or not: sums over the keys then add up in
        the same order, and a score has the same bits however the text was cut into pieces. The new ones go
        through float16 as the cached ones did.

        Returns:
            float32 [B, kv_heads, capacity, head_width].
        """
        graph = self._graph
        half = graph.node("Cast", new, to=onnx.TensorProto.FLOAT16)
        self._present.append(half)
        cached = graph.node("Gather", self._pages, self._page_rows.pop(0), axis=0)
        merged = graph.node(
            "ScatterND", graph.node("Reshape", cached, self._by_position), self._places_of_new, half
        )
        return graph.node("Cast", merged, to=onnx.TensorProto.FLOAT)

    def _capacity(self, past_pages: str) -> str:
        """How many tokens the gathered pages have room for: int64 [1]."""
        graph = self._graph
        page_count = graph.node("Shape", past_pages, start=3, end=4)
        page_width = graph.node("Shape", self._pages, start=1, end=2)
        page_tokens = graph.node("Div", page_width, graph.integers(self._config.head_width))
        return graph.node("Mul", page_count, page_tokens)

    def _causal_mask(self, capacity: str) -> str:
        """What to add to the similarities: 0 where a token may look, else a large negative number.

        float32 [B, 1, group * N, capacity]: once for each query head that shares a key head.
        """
        graph, config = self._graph, self._config
        positions = graph.node("Unsqueeze", self._positions, graph.integers(1, 3))
        hidden = graph.node("Greater", self._range(capacity), positions)
        mask = graph.node(
            "Where", hidden, graph.constant("masked", MASKED), graph.constant("open", np.zeros_like(MASKED))
        )
        return graph.node("Tile", mask, graph.integers(1, 1, config.heads // config.kv_heads, 1))

    def _places(self, batch: str, length: str) -> str:
        """Sequence, head and position of every new key: int64 [B, kv_heads, N, 3]."""
        graph, kv_heads = self._graph, self._config.kv_heads
        shape = self._shape(batch, kv_heads, length, 1)
        coordinates = (
            graph.reshape(self._range(batch), -1, 1, 1, 1),
            graph.constant("kv_heads", np.arange(kv_heads).reshape(1, -1, 1, 1)),
            graph.node("Unsqueeze", self._positions, graph.integers(1, 3)),
        )
        return graph.node("Concat", *(graph.node("Expand", each, shape) for each in coordinates), axis=3)

    def _range(self, length: str) -> str:
        """0, 1, ... up to an int64 [1], exclusive."""
        graph = self._graph
        zero, one = graph.constant("zero", np.array(0)), graph.constant("one", np.array(1))
        return graph.node("Range", zero, graph.node("Squeeze", length), one)
