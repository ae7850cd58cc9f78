"""Builds the language model's folder from a GGUF file: graph, tokenizer, start state, self-test, description.

The same file gives the same bytes on every machine. Needs the `build` extra; no torch.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from gguf import GGUFReader
from tokenizers import Tokenizer

from models.building.graph import save_graph_and_weights
from models.causal.artifact import (
    START_KEYS_VALUES_FILE,
    START_NLL_FILE,
    TOKENIZER_FILE,
    Description,
)
from models.causal.decoder_graph import decoder_model
from models.causal.float_arithmetic import FloatArithmetic
from models.causal.int8_arithmetic import Int8Arithmetic
from models.causal.reference import next_nll, trace
from models.causal.rotation import rotated
from models.causal.self_test import PROBE_TEXT, SelfTest
from models.causal.start_state import start_state
from models.causal.vocabulary import read_tokenizer
from models.causal.weights import LlamaWeights, read_weights

Precision = Literal["int8", "float32"]


def build_language_model(
    gguf_path: Path, output: Path, report: Callable[[float], None], precision: Precision = "int8"
) -> None:
    """Builds the model into the folder `output`, which is created when missing.

    Args:
        gguf_path: A Llama-type model with a tied head and the `smollm` pre-tokenizer.
        output: Where `model.onnx` and the files beside it go.
        report: Told the fraction done, 0..1, now and then.
        precision: Of products: int8, or float32 for the reference.

    Raises:
        UnsupportedGGUF: the file holds another kind of model.
    """
    output.mkdir(parents=True, exist_ok=True)
    reader = GGUFReader(gguf_path)
    start_token = int(reader.fields["tokenizer.ggml.bos_token_id"].contents())
    read_tokenizer(reader).save(str(output / TOKENIZER_FILE))
    report(0.1)
    weights = read_weights(reader)
    report(0.4)
    write_model(weights, start_token, output, precision)
    report(1.0)


def write_model(weights: LlamaWeights, start_token: int, output: Path, precision: Precision) -> None:
    """Writes everything but the tokenizer, which the folder already holds."""
    config = weights.config
    Description(
        vocabulary=config.vocabulary,
        layers=config.layers,
        kv_heads=config.kv_heads,
        head_width=config.head_width,
        context_length=config.context_length,
        start_token=start_token,
    ).write(output)
    tokenizer = Tokenizer.from_file(str(output / TOKENIZER_FILE))
    probe = tokenizer.encode(PROBE_TEXT, add_special_tokens=False).ids
    self_test(weights, [start_token, *probe]).write(output)
    if precision == "int8":
        weights = rotated(weights)
    start = start_state(weights, start_token)
    np.save(output / START_KEYS_VALUES_FILE, start.keys_values)
    np.save(output / START_NLL_FILE, start.next_nll)
    model = decoder_model(weights, Int8Arithmetic() if precision == "int8" else FloatArithmetic())
    save_graph_and_weights(model, output)


def self_test(weights: LlamaWeights, tokens: Sequence[int]) -> SelfTest:
    """What the tokens after the start token cost in float64; rounded, so that it is the same on every machine."""
    residual = trace(weights, np.array(tokens[:-1])).residual
    expected = next_nll(weights, residual[1:])[np.arange(len(tokens) - 2), tokens[2:]]
    return SelfTest(tokens=tuple(tokens), nll=tuple(expected.round(3).tolist()))
