"""Turns a context and a text into tokens, line by line, and says where each token stands in the text."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from models.interfaces import ModelFailure

REMEMBERED_LINES = 32_768
"""Enough for the contexts of two thousand calls; a line takes about a kilobyte."""


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


@dataclass(frozen=True, slots=True)
class _Line:
    """One line's tokens, int64 [tokens], and their spans in it, int32 [tokens, 2]."""

    tokens: NDArray[np.int64] = field(repr=False)
    spans: NDArray[np.int32] = field(repr=False)


class TextEncoder:
    """Encodes lines on their own, so that a growing context costs only its new lines.

    The tokens are those of `context + text`, wherever the one ends and the other begins. A token that reaches
    across the border is the text's first.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._line = lru_cache(maxsize=REMEMBERED_LINES)(self._encode_line)

    def encode(self, context: str, text: str, *, remembered: bool = True) -> EncodedText:
        """Encodes both, and finds the text's tokens in the text.

        Args:
            context: What was said before.
            text: What is scored.
            remembered: Whether the text's lines are likely to be asked for again, as somebody's context.

        Raises:
            ModelFailure: the tokenizer failed.
        """
        tokens = [np.empty(0, dtype=np.int64)]
        spans = [np.empty((0, 2), dtype=np.int32)]
        position = -len(context)
        for written in (context + text).splitlines(keepends=True):
            of_text = position + len(written) > 0
            line = self._encode_line(written) if of_text and not remembered else self._line(written)
            tokens.append(line.tokens)
            if of_text:
                spans.append(line.spans + np.int32(position))
            position += len(written)
        joined, placed = np.concatenate(tokens), np.concatenate(spans)
        placed = np.maximum(placed[placed[:, 1] > 0], 0)
        return EncodedText(joined, len(joined) - len(placed), placed)

    @property
    def line_end(self) -> int | None:
        """The token that ends a line; None if the tokenizer leaves line ends out."""
        tokens = self._line("\n").tokens
        return int(tokens[-1]) if len(tokens) else None

    def token_text(self, token: int) -> str:
        """What a token writes, white space included; of a part of a character, the replacement character."""
        written: str = self._tokenizer.decode([token], skip_special_tokens=False)
        return written

    def _encode_line(self, written: str) -> _Line:
        encoding = self._encoded(written)
        spans = [(end - len(written[start:end].lstrip()), end) for start, end in encoding.offsets]
        return _Line(np.array(encoding.ids, dtype=np.int64), np.array(spans, dtype=np.int32).reshape(-1, 2))

    def _encoded(self, line: str) -> Encoding:
        try:
            return self._tokenizer.encode(line, add_special_tokens=False)
        except Exception as error:  # noqa: BLE001 - what the tokenizer raises may quote the text
            raise ModelFailure(f"The tokenizer failed: {type(error).__name__}") from None
