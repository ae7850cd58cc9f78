"""A Llama-type model's weights and hyperparameters, read from a GGUF file into plain float32 arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


class UnsupportedGGUF(ValueError):
    """The file does not hold a model that the builder knows how to build."""


@dataclass(frozen=True, slots=True)
class LlamaConfig:
    """The shapes and constants of a Llama-type decoder."""

    vocabulary: int
    width: int
    layers: int
    heads: int
    kv_heads: int
    feed_forward: int
    context_length: int
    rope_base: float

    @property
    def head_width(self) -> int:
        """Length of one head's query, key and value."""
        return self.width // self.heads


@dataclass(frozen=True, slots=True)
class Norm:
    """A root mean square normalisation: its gain [width], and what is added to the mean square."""

    gain: FloatArray
    epsilon: float


@dataclass(frozen=True, slots=True)
class LayerWeights:
    """One decoder layer. Matrices are [out, in], queries and keys in the half-split rotary order."""

    attention_norm: Norm
    query: FloatArray
    key: FloatArray
    value: FloatArray
    output: FloatArray
    feed_forward_norm: Norm
    gate: FloatArray
    up: FloatArray
    down: FloatArray


@dataclass(frozen=True, slots=True)
class LlamaWeights:
    """A whole decoder; embedding and head are [vocabulary, width]."""

    config: LlamaConfig
    embedding: FloatArray
    layers: tuple[LayerWeights, ...]
    final_norm: Norm
    head: FloatArray


def read_config(reader: GGUFReader) -> LlamaConfig:
    """The hyperparameters in the file's header.

    Raises:
        UnsupportedGGUF: another architecture, or a head of its own.
    """

    def field(key: str) -> Any:
        return reader.fields[key].contents()

    if field("general.architecture") != "llama":
        raise UnsupportedGGUF(f"architecture {field('general.architecture')!r} instead of 'llama'")
    if any(tensor.name == "output.weight" for tensor in reader.tensors):
        raise UnsupportedGGUF("the output head is not tied to the embedding")
    return LlamaConfig(
        vocabulary=len(field("tokenizer.ggml.tokens")),
        width=int(field("llama.embedding_length")),
        layers=int(field("llama.block_count")),
        heads=int(field("llama.attention.head_count")),
        kv_heads=int(field("llama.attention.head_count_kv")),
        feed_forward=int(field("llama.feed_forward_length")),
        context_length=int(field("llama.context_length")),
        rope_base=float(field("llama.rope.freq_base")),
    )


def read_weights(reader: GGUFReader) -> LlamaWeights:
    """Reads and dequantises every tensor of the file.

    Raises:
        UnsupportedGGUF: the file holds no Llama-type model with a tied head.
    """
    config = read_config(reader)
    tensors = {tensor.name: tensor for tensor in reader.tensors}

    def matrix(name: str) -> FloatArray:
        tensor = tensors[name]
        return np.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)

    epsilon = float(reader.fields["llama.attention.layer_norm_rms_epsilon"].contents())

    def norm(name: str) -> Norm:
        return Norm(matrix(name), epsilon)

    def layer(index: int) -> LayerWeights:
        prefix = f"blk.{index}"
        return LayerWeights(
            attention_norm=norm(f"{prefix}.attn_norm.weight"),
            query=half_split(matrix(f"{prefix}.attn_q.weight"), config.heads),
            key=half_split(matrix(f"{prefix}.attn_k.weight"), config.kv_heads),
            value=matrix(f"{prefix}.attn_v.weight"),
            output=matrix(f"{prefix}.attn_output.weight"),
            feed_forward_norm=norm(f"{prefix}.ffn_norm.weight"),
            gate=matrix(f"{prefix}.ffn_gate.weight"),
            up=matrix(f"{prefix}.ffn_up.weight"),
            down=matrix(f"{prefix}.ffn_down.weight"),
        )

    embedding = matrix("token_embd.weight")
    return LlamaWeights(
        config=config,
        embedding=embedding,
        layers=tuple(layer(index) for index in range(config.layers)),
        final_norm=norm("output_norm.weight"),
        head=embedding,
    )


def half_split(matrix: FloatArray, heads: int) -> FloatArray:
    """Puts a query or key matrix's rows back into the half-split rotary order.

    llama.cpp interleaves the two halves of each head's rows (its converter's `permute`); rotating halves is
    the faster form.
    """
    rows, columns = matrix.shape
    interleaved = matrix.reshape(heads, rows // heads // 2, 2, columns)
    return np.ascontiguousarray(interleaved.swapaxes(1, 2).reshape(rows, columns))
