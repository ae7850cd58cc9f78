"""Turns texts, or pairs of texts, into token ids with a model's own `tokenizer.json`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.interfaces import ModelFailure


@dataclass(frozen=True, slots=True)
class Encoded:
    """One input's tokens.

    Attributes:
        ids: Token ids, special tokens included.
        types: 0 for tokens of the first text, 1 for tokens of the second.
    """

    ids: list[int] = field(repr=False)
    types: list[int] = field(repr=False)


class TextEncoder:
    """Encodes single texts (`(text,)`) and pairs (`(first, second)`).

    Args:
        path: The `tokenizer.json`; padding and truncation set in it are ignored.
        max_tokens: Longer inputs are cut; of a pair, the longer text first. None: nothing is cut.
    """

    def __init__(self, path: Path, max_tokens: int | None) -> None:
        self.max_tokens = max_tokens
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        if max_tokens is None:
            self._tokenizer.no_truncation()
        else:
            self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    def encode(self, texts: tuple[str, ...]) -> Encoded:
        """The tokens of one input.

        Raises:
            ModelFailure: the tokenizer failed.
        """
        first, second = texts if len(texts) == 2 else (texts[0], None)
        try:
            encoding = self._tokenizer.encode(first, second)
        except Exception as error:  # noqa: BLE001 - what the tokenizer raises may quote the text
            raise ModelFailure(f"The tokenizer failed: {type(error).__name__}") from None
        return Encoded(encoding.ids, encoding.type_ids)


def as_batch(inputs: Sequence[Encoded], length: int) -> Mapping[str, NDArray[np.int64]]:
    """Pads inputs to one length: `input_ids`, `attention_mask`, `token_type_ids`, each int64 [inputs, length]."""
    ids, mask, types = np.zeros((3, len(inputs), length), np.int64)
    for row, encoded in enumerate(inputs):
        count = len(encoded.ids)
        ids[row, :count] = encoded.ids
        mask[row, :count] = 1
        types[row, :count] = encoded.types
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
