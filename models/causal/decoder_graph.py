"""Writes the decoder as an ONNX graph: new tokens and paged past in, token NLLs and their keys/values out.

Inputs (`B` sequences, `N` new tokens each, right-padded, `G` pages of past each, `R` scored rows):

| name | type, shape | what |
|---|---|---|
| `token_ids` | int64 [B, N] | the tokens that are not cached yet |
| `past_lengths` | int64 [B] | how many tokens of each sequence are cached |
| `past_pages` | int64 [2 layers, B, kv_heads, G] | rows of `pages` that hold them, keys before values |
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
from models.causal.weights import FloatArray, LayerWeights, LlamaConfig, LlamaWeights

MASKED = np.array(-1e9, dtype=np.float32)


class Arithmetic(Protocol):
    """How the graph multiplies by weights: in float32, or in int8."""

    def embed(self, graph: GraphBuilder, token_ids: str, table: FloatArray) -> str:
        """Looks up rows of the embedding table: float32 [B, N, width]."""
        ...

    def project(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """Multiplies float32 [..., in] by a constant [out, in]: float32 [..., out]."""
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

    residual = arithmetic.embed(graph, token_ids, weights.embedding)
    update: str | None = None
    for layer in weights.layers:
        normed, residual = _add_and_normalise(graph, config, residual, update, layer.attention_norm)
        queries_keys_values = arithmetic.project(
            graph, "query_key_value", normed, np.concatenate([layer.query, layer.key, layer.value])
        )
        update = arithmetic.project(graph, "output", attention.layer(queries_keys_values), layer.output)
        normed, residual = _add_and_normalise(graph, config, residual, update, layer.feed_forward_norm)
        update = _feed_forward(graph, arithmetic, normed, layer)
    if update is not None:
        residual = graph.node("Add", residual, update)
    _head(graph, arithmetic, weights, residual)
    present = graph.node("Concat", *attention.present, axis=0)
    graph.output(
        "present", present, "float16", [2 * config.layers, "B", config.kv_heads, "N", config.head_width]
    )
    return graph.model("decoder")


def _add_and_normalise(
    graph: GraphBuilder, config: LlamaConfig, residual: str, update: str | None, gain: FloatArray
) -> tuple[str, str]:
    """Adds a layer's update to the residual stream; returns its RMS-normalised form and the sum."""
    weight = graph.constant("gain", gain)
    if update is None:
        return _normalise(graph, config, residual, weight), residual
    names = graph.nodes(
        "SkipSimplifiedLayerNormalization",
        residual,
        update,
        weight,
        outputs=4,
        unused=(1, 2),
        domain=RUNTIME_DOMAIN,
        epsilon=config.norm_epsilon,
    )
    return names[0], names[3]


def _normalise(graph: GraphBuilder, config: LlamaConfig, rows: str, weight: str) -> str:
    return graph.node("SimplifiedLayerNormalization", rows, weight, axis=-1, epsilon=config.norm_epsilon)


def _feed_forward(graph: GraphBuilder, arithmetic: Arithmetic, rows: str, layer: LayerWeights) -> str:
    """SwiGLU: down(silu(gate) * up)."""
    packed = arithmetic.project(graph, "gate_up", rows, np.concatenate([layer.gate, layer.up]))
    gate, up = graph.nodes("Split", packed, outputs=2, axis=-1, num_outputs=2)
    activated = graph.node("QuickGelu", gate, domain=RUNTIME_DOMAIN, alpha=1.0)
    return arithmetic.project(graph, "down", graph.node("Mul", activated, up), layer.down)


def _head(graph: GraphBuilder, arithmetic: Arithmetic, weights: LlamaWeights, residual: str) -> None:
    """Scores only the rows asked for, and returns probabilities of the candidates alone."""
    scored_rows = graph.input("scored_rows", "int64", ["R"])
    targets = graph.input("targets", "int64", ["R", "C"])
    continued_rows = graph.input("continued_rows", "int64", ["S"])
    continuations = graph.input("continuations", "int64", [1])

    rows = graph.node("Gather", graph.reshape(residual, -1, weights.config.width), scored_rows, axis=0)
    normed = _normalise(graph, weights.config, rows, graph.constant("gain", weights.final_norm))
    logits = arithmetic.project(graph, "head", normed, weights.embedding)
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
        self._new_length = graph.node("Shape", token_ids, start=1, end=2)
        self._new_range = graph.node(
            "Range",
            graph.constant("zero", np.array(0)),
            graph.node("Squeeze", self._new_length),
            graph.constant("one", np.array(1)),
        )
        starts = graph.node("Unsqueeze", past_lengths, graph.integers(1))
        self._positions = graph.node("Add", starts, self._new_range)
        self._past_length = self._page_capacity(past_pages)
        self._mask = self._causal_mask(past_lengths)
        cosines, sines = rotary_tables(config)
        self._cosines = graph.constant("cosines", cosines)
        self._sines = graph.constant("sines", sines)
        self.present: list[str] = []
        """What to remember of each layer: float16 keys, values, [1, B, kv_heads, N, head_width] each."""

    def layer(self, queries_keys_values: str) -> str:
        """Attends: packed float32 [B, N, (heads + 2 kv_heads) * head_width] to [B, N, width]."""
        graph, config = self._graph, self._config
        by_head = graph.node(
            "Transpose", graph.reshape(queries_keys_values, 0, 0, -1, config.head_width), perm=[0, 2, 1, 3]
        )
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
        past_keys, past_values = self._recall(), self._recall()
        self._remember(keys)
        self._remember(values)
        # Query heads that share a key head become more rows of one product.
        grouped = graph.reshape(queries, 0, config.kv_heads, -1, config.head_width)
        weights = self._softmax(self._similarity(grouped, past_keys), self._similarity(grouped, keys))
        past_weights, new_weights = graph.nodes(
            "Split",
            weights,
            graph.node("Concat", self._past_length, self._new_length, axis=0),
            outputs=2,
            axis=-1,
        )
        mixed = graph.node(
            "Add",
            graph.node("MatMul", past_weights, past_values),
            graph.node("MatMul", new_weights, values),
        )
        heads = graph.node(
            "Reshape",
            mixed,
            graph.node(
                "Concat",
                graph.integers(0, config.heads),
                self._new_length,
                graph.integers(config.head_width),
                axis=0,
            ),
        )
        return graph.reshape(graph.node("Transpose", heads, perm=[0, 2, 1, 3]), 0, 0, config.width)

    def _similarity(self, queries: str, keys: str) -> str:
        scale = self._config.head_width**-0.5
        return self._graph.node("FusedMatMul", queries, keys, domain=RUNTIME_DOMAIN, transB=1, alpha=scale)

    def _softmax(self, past: str, new: str) -> str:
        """Masked softmax over past and new keys: [B, kv_heads, group * N, past + N]."""
        graph, config = self._graph, self._config
        similarity = graph.node("Concat", past, new, axis=-1)
        total = graph.node("Add", self._past_length, self._new_length)
        by_head = graph.node(
            "Reshape",
            similarity,
            graph.node("Concat", graph.integers(0, config.heads), self._new_length, total, axis=0),
        )
        masked = graph.node("Add", by_head, self._mask)
        weights = graph.node("Softmax", masked, axis=-1)
        grouped = graph.node("Concat", graph.integers(0, config.kv_heads, -1), total, axis=0)
        return graph.node("Reshape", weights, grouped)

    def _recall(self) -> str:
        """The next layer's cached keys or values: float32 [B, kv_heads, past, head_width]."""
        graph, config = self._graph, self._config
        rows = graph.node("Squeeze", self._page_rows.pop(0), graph.integers(0))
        gathered = graph.node("Gather", self._pages, rows, axis=0)
        return graph.node(
            "Cast", graph.reshape(gathered, 0, 0, -1, config.head_width), to=onnx.TensorProto.FLOAT
        )

    def _remember(self, keys_or_values: str) -> None:
        graph = self._graph
        half = graph.node("Cast", keys_or_values, to=onnx.TensorProto.FLOAT16)
        self.present.append(graph.node("Unsqueeze", half, graph.integers(0)))

    def _page_capacity(self, past_pages: str) -> str:
        """How many past tokens the gathered pages have room for: int64 [1]."""
        graph = self._graph
        page_count = graph.node("Shape", past_pages, start=3, end=4)
        page_width = graph.node("Shape", self._pages, start=1, end=2)
        page_tokens = graph.node("Div", page_width, graph.integers(self._config.head_width))
        return graph.node("Mul", page_count, page_tokens)

    def _causal_mask(self, past_lengths: str) -> str:
        """What to add to the similarities: 0 where a token may look, else a large negative number.

        float32 [B, 1, N, past + N].
        """
        graph = self._graph
        zero, one = graph.constant("zero", np.array(0)), graph.constant("one", np.array(1))
        past_range = graph.node("Range", zero, graph.node("Squeeze", self._past_length), one)
        lengths = graph.node("Unsqueeze", past_lengths, graph.integers(1, 2, 3))
        past_hidden = graph.node("GreaterOrEqual", past_range, lengths)
        rows = graph.node("Unsqueeze", self._new_range, graph.integers(1))
        new_hidden = graph.node(
            "Unsqueeze", graph.node("Greater", self._new_range, rows), graph.integers(0, 1)
        )
        masked, open_ = graph.constant("masked", MASKED), graph.constant("open", np.zeros_like(MASKED))
        past = graph.node("Where", past_hidden, masked, open_)
        new = graph.node("Where", new_hidden, masked, open_)
        batch = graph.node("Shape", past_lengths)
        new_rows = graph.node("Concat", batch, graph.integers(1), self._new_length, self._past_length, axis=0)
        new_shape = graph.node("Concat", batch, graph.integers(1), self._new_length, self._new_length, axis=0)
        return graph.node(
            "Concat",
            graph.node("Expand", past, new_rows),
            graph.node("Expand", new, new_shape),
            axis=-1,
        )


def rotary_tables(config: LlamaConfig) -> tuple[FloatArray, FloatArray]:
    """Cosines and sines of the rotary position embedding (Su et al., 2021): [positions, head_width / 2]."""
    half = np.arange(0, config.head_width, 2, dtype=np.float64) / config.head_width
    angles = np.outer(np.arange(config.context_length), config.rope_base**-half)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
