"""Runs a graph that answers each text, or pair of texts, with one small array; many at once, each on its own."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from models.buckets import buckets
from models.recent import RecentResults
from models.session import Session
from models.text_encoding import Encoded, TextEncoder, as_batch

Texts = tuple[str, ...]
"""One input: a text, or a pair of texts."""

MAX_BATCH_TOKENS = 1024
CACHED_RESULTS = 4096


class TextModel:
    """Encodes, batches by length, runs, and remembers recent results. For one thread at a time.

    The graph computes in float32 and masks padding, so who shares a batch does not change a result.

    Args:
        session: The graph; takes `input_ids`, `attention_mask` and, if it wants them, `token_type_ids`.
        encoder: The model's tokenizer.
        output: Name of the wanted output; its first axis is the batch.
        max_batch_tokens: Most tokens run at once, padding counted.
        cached_results: How many recent results are remembered.
    """

    def __init__(
        self,
        session: Session,
        encoder: TextEncoder,
        output: str,
        max_batch_tokens: int = MAX_BATCH_TOKENS,
        cached_results: int = CACHED_RESULTS,
    ) -> None:
        self._session = session
        self._encoder = encoder
        self._output = output
        self._max_batch_tokens = max_batch_tokens
        self._recent: RecentResults[NDArray[np.float32]] = RecentResults(cached_results)

    @property
    def provider(self) -> str:
        """The execution provider that runs the graph."""
        return self._session.provider

    def answer(self, inputs: Sequence[Texts]) -> list[NDArray[np.float32]]:
        """The output's row for every input, in order. Do not change the arrays: they are remembered.

        Raises:
            ModelFailure: the tokenizer or the runtime failed.
        """
        answers: dict[Texts, NDArray[np.float32]] = {}
        unknown: list[Texts] = []
        for texts in dict.fromkeys(inputs):
            known = self._recent.get(*texts)
            if known is None:
                unknown.append(texts)
            else:
                answers[texts] = known
        answers |= self._compute(unknown)
        for texts in unknown:
            self._recent.put(answers[texts], *texts)
        return [answers[texts] for texts in inputs]

    def _compute(self, inputs: Sequence[Texts]) -> Mapping[Texts, NDArray[np.float32]]:
        encoded = [self._encoder.encode(texts) for texts in inputs]
        answers: dict[Texts, NDArray[np.float32]] = {}
        lengths = [len(item.ids) for item in encoded]
        for length, members in buckets(lengths, self._max_batch_tokens, self._encoder.max_tokens):
            rows = self._run([encoded[index] for index in members], length)
            # A copy, so that a remembered row does not keep its whole batch in memory.
            answers |= {inputs[index]: row.copy() for index, row in zip(members, rows, strict=True)}
        return answers

    def _run(self, encoded: Sequence[Encoded], length: int) -> NDArray[np.float32]:
        batch = as_batch(encoded, length)
        wanted = {name: array for name, array in batch.items() if name in self._session.input_names}
        tokens = sum(len(item.ids) for item in encoded)
        rows: NDArray[np.float32] = self._session.run(wanted, [self._output], tokens)[0]
        return rows
