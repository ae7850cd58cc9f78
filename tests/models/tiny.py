"""Tiny graphs and tokenizers for tests of the layers around them."""

from pathlib import Path

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "one", "two", "three", "four")


def write_sum_graph(path: Path) -> None:
    """Writes a graph whose output `total`, float [batch], is the sum of each row's unmasked ids."""
    batch = ["batch", "tokens"]
    graph = helper.make_graph(
        [
            helper.make_node("Mul", ["input_ids", "attention_mask"], ["kept"]),
            helper.make_node("Cast", ["kept"], ["floats"], to=TensorProto.FLOAT),
            helper.make_node("ReduceSum", ["floats", "axis"], ["total"], keepdims=0),
        ],
        "sum",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, batch),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, batch),
        ],
        [helper.make_tensor_value_info("total", TensorProto.FLOAT, ["batch"])],
        [helper.make_tensor("axis", TensorProto.INT64, [1], [1])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    path.write_bytes(model.SerializeToString())


def read_graph(path: Path) -> onnx.ModelProto:
    """The graph, after the checks of the format."""
    model = onnx.load_model(path)
    onnx.checker.check_model(model)
    return model


def write_word_tokenizer(path: Path) -> None:
    """Writes a tokenizer of whole words with `[CLS] ... [SEP]`, and `[SEP]` after a second text."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", WORDS.index("[CLS]")), ("[SEP]", WORDS.index("[SEP]"))],
    )
    tokenizer.enable_padding(length=32)
    tokenizer.save(str(path))
