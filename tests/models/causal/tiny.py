"""A tiny random decoder and tokenizer, so that building and running are tested in milliseconds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from gguf import GGUFWriter
from numpy.typing import NDArray
from tokenizers.pre_tokenizers import ByteLevel

from models.causal.artifact import TOKENIZER_FILE
from models.causal.build import Precision, write_model
from models.causal.language_model import CausalLanguageModel, CausalSettings
from models.causal.vocabulary import byte_level_bpe
from models.causal.weights import LayerWeights, LlamaConfig, LlamaWeights, Norm
from models.session import SessionSettings, open_session

START_TOKEN = 1
MERGES = ["Ġ n", "Ġn o", "p a", "Ġ a"]
TOKENS = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    *sorted(ByteLevel.alphabet()),
    "Ġn",
    "Ġno",
    "pa",
    "Ġa",
]
CONFIG = LlamaConfig(
    vocabulary=len(TOKENS),
    width=32,
    layers=2,
    heads=4,
    kv_heads=2,
    feed_forward=64,
    context_length=1024,
    rope_base=10_000.0,
)
EPSILON = 1e-5


def tiny_weights() -> LlamaWeights:
    random = np.random.default_rng(7)

    def matrix(rows: int, columns: int) -> NDArray[np.float32]:
        return np.asarray(random.standard_normal((rows, columns)) / np.sqrt(columns), dtype=np.float32)

    def norm() -> Norm:
        return Norm((1 + 0.3 * random.standard_normal(CONFIG.width)).astype(np.float32), EPSILON)

    kv_width = CONFIG.kv_heads * CONFIG.head_width

    def layer() -> LayerWeights:
        return LayerWeights(
            attention_norm=norm(),
            query=matrix(CONFIG.width, CONFIG.width),
            key=matrix(kv_width, CONFIG.width),
            value=matrix(kv_width, CONFIG.width),
            output=matrix(CONFIG.width, CONFIG.width),
            feed_forward_norm=norm(),
            gate=matrix(CONFIG.feed_forward, CONFIG.width),
            up=matrix(CONFIG.feed_forward, CONFIG.width),
            down=matrix(CONFIG.width, CONFIG.feed_forward),
        )

    embedding = matrix(CONFIG.vocabulary, CONFIG.width) * 4
    layers = tuple(layer() for _ in range(CONFIG.layers))
    return LlamaWeights(CONFIG, embedding, layers, norm(), head=embedding)


def write_tiny_model(folder: Path, precision: Precision, context_length: int = CONFIG.context_length) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    weights = tiny_weights()
    shorter = replace(weights, config=replace(CONFIG, context_length=context_length))
    byte_level_bpe(TOKENS, MERGES).save(str(folder / TOKENIZER_FILE))
    write_model(shorter, START_TOKEN, folder, precision)
    return folder


def open_tiny_model(
    folder: Path, settings: CausalSettings | None = None, passes_at_once: int = 1
) -> CausalLanguageModel:
    return CausalLanguageModel(
        folder,
        open_session(folder / "model.onnx", SessionSettings(threads=1)),
        settings,
        passes_at_once,
    )


def write_tiny_gguf(path: Path, weights: LlamaWeights, pre_tokenizer: str = "smollm") -> Path:
    """Writes weights as llama.cpp's converter would: in float32, rotary rows interleaved."""
    config = weights.config
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(config.layers)
    writer.add_embedding_length(config.width)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.kv_heads)
    writer.add_feed_forward_length(config.feed_forward)
    writer.add_context_length(config.context_length)
    writer.add_rope_freq_base(config.rope_base)
    writer.add_layer_norm_rms_eps(weights.final_norm.epsilon)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre_tokenizer)
    writer.add_token_list(TOKENS)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(START_TOKEN)
    writer.add_tensor("token_embd.weight", weights.embedding)
    writer.add_tensor("output_norm.weight", weights.final_norm.gain)
    for index, layer in enumerate(weights.layers):
        named = {
            "attn_norm": layer.attention_norm.gain,
            "attn_q": interleaved(layer.query, config.heads),
            "attn_k": interleaved(layer.key, config.kv_heads),
            "attn_v": layer.value,
            "attn_output": layer.output,
            "ffn_norm": layer.feed_forward_norm.gain,
            "ffn_gate": layer.gate,
            "ffn_up": layer.up,
            "ffn_down": layer.down,
        }
        for name, array in named.items():
            writer.add_tensor(f"blk.{index}.{name}.weight", array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def interleaved(matrix: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    rows, columns = matrix.shape
    halves = matrix.reshape(heads, 2, rows // heads // 2, columns)
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(rows, columns))
