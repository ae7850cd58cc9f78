"""Scores texts in their context with a built causal language model."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field
from tokenizers import Tokenizer

from models.causal.answers import Answer
from models.causal.artifact import START_KEYS_VALUES_FILE, START_NLL_FILE, TOKENIZER_FILE, Description
from models.causal.page_store import PageStore
from models.causal.planning import Feed, Region, form_batches, plan_jobs, rounds, rows_of_a_pass
from models.causal.text_encoding import TextEncoder
from models.interfaces import ScoreRequest, TokenScores
from models.recent import RecentResults
from models.session import Session

OUTPUTS = ("nll", "present", "continuation_ids", "continuation_nll")

REMEMBERED_TEXTS = 2048
"""Scores of texts without context that are remembered: "okay", "yeah" and the like. About 1 MB."""


class CausalSettings(BaseModel):
    """How much is remembered and computed at once.

    Attributes:
        window_tokens: Tokens of context and text that are looked at together; longer ones are cut. At most
            half of the positions that the model knows.
        cached_tokens: Tokens whose keys and values are remembered, over all streams; memory is taken as they come.
            A live call needs 120 to 160, so this serves 300 calls, with 23 KB a token of the default model.
        page_tokens: Tokens of a page of that store.
        rows_per_pass: Tokens that go through the graph at once, padding included; longer sequences go in pieces.
            Bounds the memory of a pass, most of which are the scores of the whole vocabulary for each row.
        tokens_per_round: Tokens computed before the store is brought up to date.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_tokens: int = Field(default=512, ge=16, multiple_of=2)
    cached_tokens: int = Field(default=49_152, ge=0)
    page_tokens: int = Field(default=16, ge=1)
    rows_per_pass: int = Field(default=128, ge=1)
    tokens_per_round: int = Field(default=1024, ge=1)


@dataclass(slots=True)
class CacheUse:
    """What the cache has saved since the model was opened.

    Attributes:
        reused_tokens: Tokens of contexts that were found in the cache.
        computed_tokens: Tokens that went through the graph.
        padding_tokens: Rows of passes that held no token.
        remembered_texts: Requests that were answered from memory alone.
        evicted_streams: Streams in use that had to make room: if this grows, more calls are live than fit.
        cached_tokens: Tokens in the cache now.
    """

    reused_tokens: int = 0
    computed_tokens: int = 0
    padding_tokens: int = 0
    remembered_texts: int = 0
    evicted_streams: int = 0
    cached_tokens: int = 0


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
        self._passes_at_once = passes_at_once
        self._threads = ThreadPoolExecutor(passes_at_once, thread_name_prefix="language-model")
        self._encoder = TextEncoder(Tokenizer.from_file(str(folder / TOKENIZER_FILE)))
        description = Description.read(folder)
        self._start_token = description.start_token
        self._vocabulary = description.vocabulary
        # Padding may reach as far beyond a window as the window is long.
        self._window = min(self._settings.window_tokens, description.context_length // 4 * 2)
        self._start_nll: NDArray[np.float32] = np.load(folder / START_NLL_FILE)
        self._start_state: NDArray[np.float16] = np.load(folder / START_KEYS_VALUES_FILE)
        self._store = self._new_store(self._settings.cached_tokens)
        self._recent: RecentResults[TokenScores] = RecentResults(REMEMBERED_TEXTS)
        self._use = CacheUse()

    @property
    def provider(self) -> str:
        """The execution provider that runs the graph."""
        return self._session.provider

    @property
    def cached_tokens(self) -> int:
        """Tokens whose keys and values are remembered now."""
        return len(self._store)

    @property
    def cache_use(self) -> CacheUse:
        """Counts since the model was opened, as they are now."""
        return replace(self._use, evicted_streams=self._store.evictions, cached_tokens=len(self._store))

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """Scores every request, in order. Who shares the list changes no result. The arrays are not to be changed.

        Raises:
            ModelFailure: the runtime failed; nothing was scored.
        """
        scores = {
            index: known
            for index, request in enumerate(requests)
            if _repeatable(request) and (known := self._recent.get(request.text)) is not None
        }
        self._use.remembered_texts += len(scores)
        answers = {
            index: Answer.to(request, self._encoder)
            for index, request in enumerate(requests)
            if index not in scores
        }
        self._compute(list(answers.values()))
        for index, answer in answers.items():
            scores[index] = answer.scores()
            if _repeatable(requests[index]):
                self._recent.put(scores[index], requests[index].text)
        return [scores[index] for index in range(len(requests))]

    def _compute(self, answers: Sequence[Answer]) -> None:
        """Fills in all answers."""
        for answer in answers:
            self._fill_in_after_start(answer)
        jobs = plan_jobs(
            [answer.request for answer in answers],
            [answer.text for answer in answers],
            self._start_token,
            self._window,
        )
        self._store.begin_list()
        for feeds in rounds(jobs, self._store, self._settings.tokens_per_round):
            self._run_round(feeds, answers)

    def _fill_in_after_start(self, answer: Answer) -> None:
        """What follows the start token alone was computed when the model was built."""
        if answer.text.first_scored > 0 or not len(answer.text.tokens):
            return
        answer.columns[0, 0] = self._start_nll[answer.text.tokens[0]]
        if len(answer.columns) > 1:
            answer.columns[1, 0] = self._start_nll[self._encoder.line_end]
        for index, _ in answer.continued_in(Region(0, 0, 0, 1)):
            ids = np.argsort(self._start_nll, kind="stable")[: answer.request.continuations]
            answer.continue_at(index, self._written(ids), self._start_nll[ids])

    def _run_round(self, feeds: Sequence[Feed], answers: Sequence[Answer]) -> None:
        """Runs feeds in as few passes as padding allows; the store changes only when all have run."""
        new_tokens = sum(len(feed.new_tokens) for feed in feeds)
        rows = rows_of_a_pass(new_tokens, self._passes_at_once, self._settings.rows_per_pass)
        batches = form_batches(feeds, rows)
        presents = list(self._threads.map(partial(self._run_batch, answers=answers), batches))
        for batch, present in zip(batches, presents, strict=True):
            length = max(len(feed.new_tokens) for feed in batch)
            self._use.padding_tokens += length * len(batch) - sum(len(feed.new_tokens) for feed in batch)
            for index, feed in enumerate(batch):
                if feed.job.stream is not None and feed.job.kept:
                    known, computed = feed.prefix.length, len(feed.new_tokens)
                    keys_values = present[:, index, :, :computed]
                    self._store.keep(feed.job.stream, feed.job.tokens[:-1], known, keys_values)
        self._use.computed_tokens += new_tokens
        self._use.reused_tokens += sum(feed.prefix.length - 1 for feed in feeds)

    def _run_batch(self, feeds: Sequence[Feed], answers: Sequence[Answer]) -> NDArray[np.float16]:
        """Runs feeds together, or one that is longer than a pass in pieces; returns the new keys and values."""
        rows = self._settings.rows_per_pass
        if len(feeds) == 1 and len(feeds[0].new_tokens) > rows:
            return self._run_in_pieces(feeds[0], answers)
        return self._run_pass(feeds, self._store, answers)

    def _run_in_pieces(self, feed: Feed, answers: Sequence[Answer]) -> NDArray[np.float16]:
        """Runs a long sequence pass after pass, each piece on what the pieces before left in pages of its own."""
        tokens, known = feed.job.tokens, feed.prefix.length
        pages = self._new_store(len(tokens))
        pages.keep("", tokens[:known], 1, self._store.recall(feed.prefix)[:, :, 1:])
        presents = []
        count = -(-len(feed.new_tokens) // self._settings.rows_per_pass)
        for new in np.array_split(feed.new_tokens, count):
            piece = feed.piece(pages.prefix("", tokens[:known]), len(new))
            present = self._run_pass([piece], pages, answers)
            pages.keep("", tokens[: known + len(new)], known, present[:, 0])
            presents.append(present)
            known += len(new)
        return np.concatenate(presents, axis=3)

    def _run_pass(
        self, feeds: Sequence[Feed], pages: PageStore, answers: Sequence[Answer]
    ) -> NDArray[np.float16]:
        """One run of the graph: fills in what it says of the answers, and returns the new keys and values."""
        width = max(len(feed.new_tokens) for feed in feeds)
        token_ids = np.zeros((len(feeds), width), dtype=np.int64)
        for row, feed in zip(token_ids, feeds, strict=True):
            row[: len(feed.new_tokens)] = feed.new_tokens
        regions = [(region, answers[region.request]) for feed in feeds for region in feed.job.regions]
        targets = np.concatenate([feed.targets for feed in feeds])[:, None]
        if any(len(answer.columns) > 1 for _, answer in regions):
            targets = np.hstack([targets, np.full_like(targets, self._encoder.line_end)])
        continued = _continued_rows(regions)
        most = max((answer.request.continuations for _, answer, _ in continued), default=1)
        inputs = {
            "token_ids": token_ids,
            "past_lengths": np.array([feed.prefix.length for feed in feeds], dtype=np.int64),
            "past_pages": pages.row_indices([feed.prefix for feed in feeds], width),
            "pages": pages.rows,
            "scored_rows": np.concatenate(
                [feed.scored_rows + index * width for index, feed in enumerate(feeds)]
            ),
            "targets": targets,
            "continued_rows": np.array([row for row, _, _ in continued], dtype=np.int64),
            "continuations": np.array([min(most, self._vocabulary)], dtype=np.int64),
        }
        tokens = sum(len(feed.new_tokens) for feed in feeds)
        nll, present, ids, likeliest = self._session.run(inputs, OUTPUTS, tokens)
        start = 0
        for region, answer in regions:
            end = start + region.end - region.start
            filled = answer.columns[:, region.offset : region.offset + end - start]
            filled[:] = nll[start:end, : len(filled)].T
            start = end
        for (_, answer, index), row_ids, row_nll in zip(continued, ids, likeliest, strict=True):
            answer.continue_at(index, self._written(row_ids), row_nll)
        return present

    def _new_store(self, capacity: int) -> PageStore:
        return PageStore(self._start_state, capacity, self._settings.page_tokens)

    def _written(self, tokens: NDArray[np.int64]) -> tuple[str, ...]:
        return tuple(self._encoder.token_text(int(token)) for token in tokens)


def _continued_rows(regions: Sequence[tuple[Region, Answer]]) -> list[tuple[int, Answer, int]]:
    """Which scored rows need their likeliest continuations: the row, whose, and at which of its places."""
    continued = []
    start = 0
    for region, answer in regions:
        continued += [(start + row, answer, index) for index, row in answer.continued_in(region)]
        start += region.end - region.start
    return continued


def _repeatable(request: ScoreRequest) -> bool:
    """Whether the very same may be asked again: a text alone, without questions about its places."""
    return not (request.context or request.extends or request.line_ends or request.continued_at)
