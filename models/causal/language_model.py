"""Scores texts in their context with a built causal language model."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field
from tokenizers import Tokenizer

from models.causal.artifact import START_KEYS_VALUES_FILE, START_NLL_FILE, TOKENIZER_FILE, Description
from models.causal.page_store import PageStore
from models.causal.planning import Feed, Job, find_prefixes, form_batches, plan_jobs, rounds
from models.causal.text_encoding import TextEncoder
from models.interfaces import ScoreRequest, TokenScores
from models.session import Session


class CausalSettings(BaseModel):
    """How much is remembered and computed at once.

    Attributes:
        window_tokens: Tokens of context and text that are looked at together; longer ones are cut. At most
            half of the positions that the model knows.
        cached_tokens: Tokens whose keys and values are remembered, over all streams.
        page_tokens: Tokens of a page of that store.
        rows_per_pass: Tokens that go through the graph at once, padding included.
        tokens_per_round: Tokens of whole sequences after which the store is brought up to date.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_tokens: int = Field(default=512, ge=16, multiple_of=2)
    cached_tokens: int = Field(default=16_384, ge=0)
    page_tokens: int = Field(default=16, ge=1)
    rows_per_pass: int = Field(default=256, ge=1)
    tokens_per_round: int = Field(default=16_384, ge=1)


class CausalLanguageModel:
    """A causal language model whose streams' prefixes are cached between calls of `score`.

    Not thread-safe: one caller at a time.

    Args:
        folder: A built model.
        session: Its graph, opened.
        settings: Bounds of memory and batches.
        passes_at_once: Runs of the graph side by side, each in a thread of its own. On a CPU, several runs of one
            thread each do more than one run of several threads: its small steps do not divide well.

    Raises:
        OSError: a file of the model is missing.
    """

    def __init__(
        self,
        folder: Path,
        session: Session,
        settings: CausalSettings | None = None,
        passes_at_once: int = 1,
    ) -> None:
        self._settings = settings or CausalSettings()
        self._session = session
        self._threads = ThreadPoolExecutor(passes_at_once, thread_name_prefix="language-model")
        self._encoder = TextEncoder(Tokenizer.from_file(str(folder / TOKENIZER_FILE)))
        description = Description.read(folder)
        self._start_token = description.start_token
        # Padding may reach as far beyond a window as the window is long.
        self._window = min(self._settings.window_tokens, description.context_length // 4 * 2)
        self._start_nll: NDArray[np.float32] = np.load(folder / START_NLL_FILE)
        self._store = PageStore(
            np.load(folder / START_KEYS_VALUES_FILE),
            self._settings.cached_tokens,
            self._settings.page_tokens,
        )

    @property
    def provider(self) -> str:
        """The execution provider that runs the graph."""
        return self._session.provider

    @property
    def cached_tokens(self) -> int:
        """Tokens whose keys and values are remembered now."""
        return len(self._store)

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """Scores every request, in order. Who shares the list changes no result.

        Raises:
            ModelFailure: the runtime failed; nothing was scored.
        """
        encoded = [self._encoder.encode(request.context, request.text) for request in requests]
        scores = [np.zeros(len(text.spans), dtype=np.float32) for text in encoded]
        for text, nll in zip(encoded, scores, strict=True):
            if text.first_scored == 0 and len(nll):
                nll[0] = self._start_nll[text.tokens[0]]
        jobs = plan_jobs(requests, encoded, self._start_token, self._window)
        for group in rounds(jobs, self._settings.tokens_per_round):
            self._run_round(group, scores)
        return [TokenScores(nll, text.spans) for text, nll in zip(encoded, scores, strict=True)]

    def _run_round(self, jobs: Sequence[Job], scores: Sequence[NDArray[np.float32]]) -> None:
        """Runs jobs in as few passes as padding allows; the store changes only when all have run."""
        feeds = find_prefixes(jobs, self._store)
        kept: list[tuple[str, Feed, NDArray[np.float16]]] = []
        passes = list(form_batches(feeds, self._settings.rows_per_pass))
        for feeds_of_pass, (nll, present) in zip(
            passes, self._threads.map(self._run_pass, passes), strict=True
        ):
            deliver(nll, feeds_of_pass, scores)
            kept += [
                (stream, feed, present[:, index, :, : len(feed.new_tokens)])
                for index, feed in enumerate(feeds_of_pass)
                if (stream := feed.job.kept_as) is not None
            ]
        for stream, feed, keys_values in kept:
            self._store.keep(stream, feed.job.tokens[:-1], feed.prefix.length, keys_values)

    def _run_pass(self, feeds: Sequence[Feed]) -> tuple[NDArray[np.float32], NDArray[np.float16]]:
        """One run of the graph: NLLs of all scored tokens in order, and the new keys and values."""
        width = max(len(feed.new_tokens) for feed in feeds)
        token_ids = np.zeros((len(feeds), width), dtype=np.int64)
        for row, feed in zip(token_ids, feeds, strict=True):
            row[: len(feed.new_tokens)] = feed.new_tokens
        inputs = {
            "token_ids": token_ids,
            "past_lengths": np.array([feed.prefix.length for feed in feeds], dtype=np.int64),
            "past_pages": self._store.row_indices([feed.prefix for feed in feeds], width),
            "pages": self._store.rows,
            "scored_rows": np.concatenate(
                [feed.scored_rows + index * width for index, feed in enumerate(feeds)]
            ),
            "targets": np.concatenate([feed.targets for feed in feeds])[:, None],
            "continued_rows": np.zeros(0, dtype=np.int64),
            "continuations": np.ones(1, dtype=np.int64),
        }
        tokens = sum(len(feed.new_tokens) for feed in feeds)
        nll, present = self._session.run(inputs, ["nll", "present"], tokens)
        return nll[:, 0], present


def deliver(nll: NDArray[np.float32], feeds: Sequence[Feed], scores: Sequence[NDArray[np.float32]]) -> None:
    """Hands a pass's NLLs to the requests that asked for them."""
    start = 0
    for feed in feeds:
        for region in feed.job.regions:
            length = region.end - region.start
            scores[region.request][region.offset : region.offset + length] = nll[start : start + length]
            start += length
