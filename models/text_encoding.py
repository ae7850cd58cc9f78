"""Turns texts, or pairs of texts, into token ids with a model's own tokenizer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor
from tokenizers import Tokenizer

from models.interfaces import ModelFailure
from models.layout import SENTENCE_PIECES, TOKENIZER


@dataclass(frozen=True, slots=True)
class Encoded:
    """One input's tokens.

    Attributes:
        ids: Token ids, special tokens included.
        types: 0 for tokens of the first text, 1 for tokens of the second.
    """

    ids: list[int] = field(repr=False)
    types: list[int] = field(repr=False)


class TextEncoder(Protocol):
    """Encodes single texts (`(text,)`) and pairs (`(first, second)`). Longer inputs are cut."""

    @property
    def max_tokens(self) -> int | None:
        """Most tokens of an input, special tokens included; None: nothing is cut."""
        ...

    def encode(self, texts: tuple[str, ...]) -> Encoded:
        """The tokens of one input.

        Raises:
            ModelFailure: the tokenizer failed.
        """
        ...


def open_encoder(folder: Path, max_tokens: int | None) -> TextEncoder:
    """The encoder of the model in a folder.

    Raises:
        OSError: its file is missing or unreadable.
    """
    pieces = folder / SENTENCE_PIECES
    return (
        PieceEncoder(pieces, max_tokens)
        if pieces.is_file()
        else TokenizerEncoder(folder / TOKENIZER, max_tokens)
    )


class TokenizerEncoder:
    """Encodes with any `tokenizer.json`.

    Args:
        path: The file; padding and truncation set in it are ignored.
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
        """See `TextEncoder`."""
        first, second = texts if len(texts) == 2 else (texts[0], None)
        try:
            encoding = self._tokenizer.encode(first, second)
        except Exception as error:  # noqa: BLE001 - what the tokenizer raises may quote the text
            raise ModelFailure(f"The tokenizer failed: {type(error).__name__}") from None
        return Encoded(encoding.ids, encoding.type_ids)


class PieceEncoder:
    """Encodes with a SentencePiece model whose inputs are written `[CLS] first [SEP] second [SEP]`.

    A large vocabulary of pieces takes a sixth of the memory that it takes as a `tokenizer.json`. Special tokens
    that are spelt out in a text are plain text here.

    Args:
        path: The SentencePiece model.
        max_tokens: Longer inputs are cut; of a pair, the longer text first. None: nothing is cut.
    """

    def __init__(self, path: Path, max_tokens: int | None) -> None:
        self.max_tokens = max_tokens
        self._pieces = SentencePieceProcessor()
        self._pieces.LoadFromFile(str(path))
        self._start: int = self._pieces.PieceToId("[CLS]")
        self._end: int = self._pieces.PieceToId("[SEP]")

    def encode(self, texts: tuple[str, ...]) -> Encoded:
        """See `TextEncoder`."""
        try:
            parts: list[list[int]] = [self._pieces.EncodeAsIds(text) for text in texts]
        except Exception as error:  # noqa: BLE001 - what the tokenizer raises may quote the text
            raise ModelFailure(f"The tokenizer failed: {type(error).__name__}") from None
        if self.max_tokens is not None:
            parts = _cut(parts, self.max_tokens - 1 - len(parts))
        ids, types = [self._start], [0]
        for number, part in enumerate(parts):
            ids += [*part, self._end]
            types += [number] * (len(part) + 1)
        return Encoded(ids, types)


def _cut(parts: list[list[int]], most: int) -> list[list[int]]:
    """The first tokens of each text, the longer ones cut to one length."""
    if sum(map(len, parts)) <= most:
        return parts
    if len(parts) == 1:
        return [parts[0][:most]]
    first, second = map(len, parts)
    shorter = min(first, second, most // 2)
    longer = most - shorter
    lengths = (shorter, longer) if first <= second else (longer, shorter)
    return [part[:length] for part, length in zip(parts, lengths, strict=True)]


def as_batch(inputs: Sequence[Encoded], length: int) -> Mapping[str, NDArray[np.int64]]:
    """Pads inputs to one length: `input_ids`, `attention_mask`, `token_type_ids`, each int64 [inputs, length]."""
    ids, mask, types = np.zeros((3, len(inputs), length), np.int64)
    for row, encoded in enumerate(inputs):
        count = len(encoded.ids)
        ids[row, :count] = encoded.ids
        mask[row, :count] = 1
        types[row, :count] = encoded.types
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
