"""Makes a `tokenizers` byte-level BPE tokenizer from the tokens and merges that a GGUF file carries."""

from gguf import GGUFReader
from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel as ByteLevelDecoder
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence

from models.causal.weights import UnsupportedGGUF


def read_tokenizer(reader: GGUFReader) -> Tokenizer:
    """Builds the tokenizer of a GGUF file whose pre-tokenizer is `smollm`.

    That is what llama.cpp calls: every digit on its own, then GPT-2's byte-level expression. Control tokens
    are never made from text: a transcript that spells one gets its ordinary pieces.

    Raises:
        UnsupportedGGUF: another kind of tokenizer.
    """
    kind = reader.fields["tokenizer.ggml.model"].contents(), reader.fields["tokenizer.ggml.pre"].contents()
    if kind != ("gpt2", "smollm"):
        raise UnsupportedGGUF(f"tokenizer {kind} instead of ('gpt2', 'smollm')")
    tokens: list[str] = reader.fields["tokenizer.ggml.tokens"].contents()
    merges: list[str] = reader.fields["tokenizer.ggml.merges"].contents()
    return byte_level_bpe(tokens, merges)


def byte_level_bpe(tokens: list[str], merges: list[str]) -> Tokenizer:
    """A byte-level BPE tokenizer that splits numbers into digits, from its tokens in order and its merges."""
    tokenizer = Tokenizer(
        BPE(
            vocab={token: index for index, token in enumerate(tokens)},
            merges=[_pair(merge) for merge in merges],
        )
    )
    tokenizer.pre_tokenizer = Sequence(
        [Digits(individual_digits=True), ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.decoder = ByteLevelDecoder()
    return tokenizer


def _pair(merge: str) -> tuple[str, str]:
    left, right = merge.split(" ")
    return left, right
