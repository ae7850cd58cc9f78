"""Scores texts with any exported causal language model. It keeps no cache: every context is computed anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.buckets import buckets
from models.causal.planning import windows
from models.causal.text_encoding import EncodedText, TextEncoder
from models.interfaces import ScoreRequest, TokenScores
from models.layout import NLL_OUTPUT, SCORED_ROWS_INPUT, TARGETS_INPUT, TOKENIZER, LanguageModelDescription
from models.session import Session

WINDOW_TOKENS = 512
"""Tokens of context and text that are looked at together; longer ones are cut."""

MAX_BATCH_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class _Sequence:
    """Tokens to run, and which of them are scored for whom.

    Attributes:
        tokens: int64 [tokens], start token first.
        first_scored: Index of the first scored token; all after it are scored.
        request: Index of the request.
        offset: Which of the request's scored tokens comes first.
    """

    tokens: NDArray[np.int64] = field(repr=False)
    first_scored: int
    request: int
    offset: int


class ExportedLanguageModel:
    """A `LanguageModel` on a graph with the output `nll`. Slower than the built one, for its lack of a cache.

    It cannot name continuations: its graph keeps all probabilities but those asked for.

    Args:
        folder: An exported model.
        session: Its graph, opened.
        max_tokens: Longest sequence the model takes, start token included; None: any.
        max_batch_tokens: Most tokens run at once, padding counted.

    Raises:
        OSError: a file of the model is missing.
    """

    def __init__(
        self,
        folder: Path,
        session: Session,
        max_tokens: int | None = None,
        max_batch_tokens: int = MAX_BATCH_TOKENS,
    ) -> None:
        self._session = session
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._encoder = TextEncoder(tokenizer)
        self._start_token = LanguageModelDescription.read(folder).start_token
        self._window_tokens = WINDOW_TOKENS if max_tokens is None else min(WINDOW_TOKENS, max_tokens - 1)
        self._max_tokens = max_tokens
        self._max_batch_tokens = max_batch_tokens

    @property
    def provider(self) -> str:
        """The execution provider that runs the graph."""
        return self._session.provider

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """Scores every request, in order. Who shares the list changes no result.

        Raises:
            ModelFailure: the runtime failed; nothing was scored.
        """
        encoded = [
            self._encoder.encode(request.context, request.text, remembered=request.extends)
            for request in requests
        ]
        columns = [
            np.empty(
                (1 + (request.line_ends and self._encoder.line_end is not None), len(text.spans)), np.float32
            )
            for request, text in zip(requests, encoded, strict=True)
        ]
        sequences = [part for index, text in enumerate(encoded) for part in self._sequences(index, text)]
        lengths = [len(part.tokens) for part in sequences]
        for length, members in buckets(lengths, self._max_batch_tokens, self._max_tokens):
            self._run([sequences[index] for index in members], length, columns)
        return [
            TokenScores(nll[0], text.spans, line_end_nll=nll[1] if len(nll) > 1 else None)
            for text, nll in zip(encoded, columns, strict=True)
        ]

    def _sequences(self, request: int, text: EncodedText) -> Iterator[_Sequence]:
        for first, start, end in windows(text.first_scored, len(text.tokens), self._window_tokens):
            tokens = np.append(self._start_token, text.tokens[first:end])
            yield _Sequence(tokens, start - first + 1, request, start - text.first_scored)

    def _run(
        self, sequences: Sequence[_Sequence], length: int, columns: Sequence[NDArray[np.float32]]
    ) -> None:
        ids, mask = np.zeros((2, len(sequences), length), np.int64)
        rows, targets = [], []
        for row, part in enumerate(sequences):
            ids[row, : len(part.tokens)] = part.tokens
            mask[row, : len(part.tokens)] = 1
            scored = part.tokens[part.first_scored :]
            # A row's probabilities are asked for once for each column: of the token, and of a line end.
            for column in range(len(columns[part.request])):
                rows.append(row * length + np.arange(part.first_scored - 1, len(part.tokens) - 1))
                targets.append(np.full_like(scored, self._encoder.line_end) if column else scored)
        inputs = {
            "input_ids": ids,
            "attention_mask": mask,
            "position_ids": np.broadcast_to(np.arange(length), ids.shape),
            SCORED_ROWS_INPUT: np.concatenate(rows),
            TARGETS_INPUT: np.concatenate(targets),
        }
        wanted = {name: array for name, array in inputs.items() if name in self._session.input_names}
        (nll,) = self._session.run(wanted, [NLL_OUTPUT], int(mask.sum()))
        start = 0
        for part in sequences:
            count = len(part.tokens) - part.first_scored
            for column in columns[part.request]:
                column[part.offset : part.offset + count] = nll[start : start + count]
                start += count
