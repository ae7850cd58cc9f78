"""Turns a context and a text into tokens, line by line, and says where each token stands in the text."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from models.interfaces import ModelFailure

REMEMBERED_LINES = 4096


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A context and a text as one run of tokens.

    Attributes:
        tokens: int64 [context + text], without the start token.
        first_scored: Index of the text's first token.
        spans: int32 [text tokens, 2], `[start, end)` characters of the text, leading white space left out.
    """

    tokens: NDArray[np.int64] = field(repr=False)
    first_scored: int
    spans: NDArray[np.int32] = field(repr=False)


class TextEncoder:
    """Encodes lines on their own, so that a growing context costs only its new lines.

    A text always begins a token, whatever its context ends with.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._line_tokens = lru_cache(maxsize=REMEMBERED_LINES)(self._encode_line)

    def encode(self, context: str, text: str) -> EncodedText:
        """Encodes both, and finds the text's tokens in the text.

        Raises:
            ModelFailure: the tokenizer failed.
        """
        tokens: list[int] = []
        for line in context.splitlines(keepends=True):
            tokens += self._line_tokens(line)
        first_scored = len(tokens)
        spans: list[tuple[int, int]] = []
        offset = 0
        for line in text.splitlines(keepends=True):
            encoding = self._encoded(line)
            tokens += encoding.ids
            spans += [
                (offset + end - len(line[start:end].lstrip()), offset + end)
                for start, end in encoding.offsets
            ]
            offset += len(line)
        return EncodedText(
            tokens=np.array(tokens, dtype=np.int64),
            first_scored=first_scored,
            spans=np.array(spans, dtype=np.int32).reshape(-1, 2),
        )

    def _encode_line(self, line: str) -> list[int]:
        ids: list[int] = self._encoded(line).ids
        return ids

    def _encoded(self, line: str) -> Encoding:
        try:
            return self._tokenizer.encode(line, add_special_tokens=False)
        except Exception as error:  # noqa: BLE001 - what the tokenizer raises may quote the text
            raise ModelFailure(f"The tokenizer failed: {type(error).__name__}") from None
