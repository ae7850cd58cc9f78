"""Decides what has to be computed: which token sequences, what is scored of each, and what shares a pass."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from models.causal.page_store import CachedPrefix, PageStore, Tokens
from models.causal.text_encoding import EncodedText
from models.interfaces import ScoreRequest

PASS_COST = 15
"""What a pass costs before its first token, counted in tokens: weights have to be read whatever is fed."""

RECALL_COST = 0.013
"""What it costs a sequence to gather one cached position in all layers, counted in tokens."""

ATTENTION_COST = 0.001
"""What it costs a token to look at one position in all layers, counted in tokens."""

DIVIDED_ROWS = 64
"""New tokens above which two passes side by side are worth a second reading of the weights (11% of CPU at 128)."""

NO_ROWS: NDArray[np.int64] = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Region:
    """Consecutive scored tokens of one request within a job.

    Attributes:
        request: Index of the request.
        offset: Which of the request's scored tokens comes first.
        start: Where in the job's tokens it stands.
        end: Where the last one stands, plus one.
    """

    request: int
    offset: int
    start: int
    end: int

    def within(self, start: int, end: int) -> "Region":
        """The part of it that stands from `start` to `end`."""
        first = max(self.start, start)
        return Region(self.request, self.offset + first - self.start, first, min(self.end, end))


@dataclass(slots=True)
class Job:
    """One sequence to run: the start token, context, scored text.

    Attributes:
        stream: Whose cached prefix it may begin with.
        tokens: int64 [tokens].
        regions: What is scored of it, in order.
        kept: Whether the stream goes on from here.
    """

    stream: str | None
    tokens: Tokens = field(repr=False)
    regions: list[Region]
    kept: bool = False

    def absorb(self, other: "Job") -> bool:
        """Takes over what another job scores, if that begins with all of this one's tokens; says whether."""
        length = len(self.tokens)
        if other.regions[0].start < length or not np.array_equal(other.tokens[:length], self.tokens):
            return False
        self.tokens = other.tokens
        self.regions += other.regions
        return True


@dataclass(frozen=True, slots=True)
class Feed:
    """A job and the cached prefix it starts from. The last token predicts nothing, so it is not fed."""

    job: Job
    prefix: CachedPrefix

    @property
    def new_tokens(self) -> Tokens:
        """What has to be computed."""
        return self.job.tokens[self.prefix.length : -1]

    @property
    def scored_rows(self) -> NDArray[np.int64]:
        """Which of the new tokens predict a scored one."""
        before = self.prefix.length + 1
        return np.concatenate(
            [NO_ROWS, *(np.arange(region.start - before, region.end - before) for region in self.job.regions)]
        )

    @property
    def targets(self) -> Tokens:
        """The scored tokens."""
        return np.concatenate(
            [NO_ROWS, *(self.job.tokens[region.start : region.end] for region in self.job.regions)]
        )

    def piece(self, prefix: CachedPrefix, new_tokens: int) -> "Feed":
        """What comes after a longer prefix, and no more than so many tokens of it."""
        first, end = prefix.length + 1, min(prefix.length + 1 + new_tokens, len(self.job.tokens))
        regions = [
            region.within(first, end)
            for region in self.job.regions
            if region.start < end and region.end > first
        ]
        return Feed(replace(self.job, tokens=self.job.tokens[:end], regions=regions), prefix)


def plan_jobs(
    requests: Sequence[ScoreRequest], encoded: Sequence[EncodedText], start_token: int, window: int
) -> list[Job]:
    """Joins a stream's consecutive requests into one sequence wherever one continues the other.

    Args:
        requests: What was asked.
        encoded: The same, as tokens.
        start_token: Put before every sequence.
        window: Tokens of context and text that a sequence may hold.
    """
    jobs: list[Job] = []
    latest: dict[str, Job] = {}
    for index, (request, text) in enumerate(zip(requests, encoded, strict=True)):
        predicted = max(text.first_scored, 1)  # what follows the start token alone is looked up, not computed
        for first, start, end in windows(predicted, len(text.tokens), window):
            tokens = np.append(start_token, text.tokens[first:end])
            region = Region(index, start - text.first_scored, start - first + 1, end - first + 1)
            job = Job(request.stream, tokens, [region], kept=request.extends and request.stream is not None)
            if request.stream is None or not request.extends:
                jobs.append(job)
            elif not (running := latest.get(request.stream)) or not running.absorb(job):
                jobs.append(job)
                latest[request.stream] = job
    return jobs


def windows(first_scored: int, length: int, window: int) -> Iterator[tuple[int, int, int]]:
    """Cuts what is too long for one sequence: yields first context token, first and last scored token.

    Every scored token sees at least half a window of what came before it, or all of it. Where a window begins
    depends on the token's position in its context alone, so that a growing text is cut as a whole one is.
    """
    stride = window // 2
    start = first_scored
    while start < length:
        block = max(start // stride, 1)
        end = min((block + 1) * stride, length)
        yield (block - 1) * stride, start, end
        start = end


def find_prefix(job: Job, store: PageStore) -> Feed:
    """Finds what is cached of a job, up to the token before the first scored one."""
    prefix = store.prefix(job.stream, job.tokens)
    return Feed(job, prefix.upto(job.regions[0].start - 1, store.page_tokens))


def rounds(jobs: Iterable[Job], store: PageStore, new_tokens: int) -> Iterator[list[Feed]]:
    """Cuts the jobs, in order, after so many tokens that have to be computed.

    A round's prefixes are looked up when it is asked for: the one before may have changed the store.
    """
    group: list[Feed] = []
    total = 0
    for job in jobs:
        feed = find_prefix(job, store)
        if group and total + len(feed.new_tokens) > new_tokens:
            yield group
            group, total = [], 0
            feed = find_prefix(job, store)
        group.append(feed)
        total += len(feed.new_tokens)
    if group:
        yield group


def rows_of_a_pass(new_tokens: int, passes_at_once: int, most: int) -> int:
    """How many rows a pass should have so that all threads have about the same to do, and it is worth it."""
    turns = -(-new_tokens // (most * passes_at_once))
    return min(most, max(DIVIDED_ROWS, -(-new_tokens // max(1, turns * passes_at_once))))


def form_batches(feeds: Sequence[Feed], rows: int) -> list[list[Feed]]:
    """Groups feeds so that padding, what is looked at in vain, and passes together cost least.

    All sequences of a pass are padded to its longest, in new tokens and in past. So feeds are grouped by length, and
    also by length among those with a past and among those without, and the cheaper way is taken. A group has at most
    `rows` new tokens with padding; a longer sequence has a group of its own.
    """
    by_length = sorted(feeds, key=lambda feed: (len(feed.new_tokens), len(feed.prefix.pages)), reverse=True)
    with_past = [feed for feed in by_length if len(feed.prefix.pages) > 1]
    without = [feed for feed in by_length if len(feed.prefix.pages) <= 1]
    ways = [_cheapest_groups(by_length, rows)]
    if with_past and without:
        ways.append(_cheapest_groups([*with_past, *without], rows))
    return min(ways, key=lambda way: way[0])[1]


def _cheapest_groups(ordered: Sequence[Feed], rows: int) -> tuple[float, list[list[Feed]]]:
    """Cuts a list of feeds into groups at the least cost; dynamic programming over where the last group begins."""
    new = [len(feed.new_tokens) for feed in ordered]
    past = [feed.prefix.length for feed in ordered]
    cost, group_start = [0.0], [0]
    for end in range(1, len(ordered) + 1):
        best, best_start = math.inf, end
        longest = furthest = 0
        for start in range(end - 1, -1, -1):
            longest, furthest = max(longest, new[start]), max(furthest, past[start])
            count = end - start
            if count > 1 and count * longest > rows:
                break
            total = cost[start] + _pass_cost(count, longest, furthest)
            if total < best:
                best, best_start = total, start
        cost.append(best)
        group_start.append(best_start)
    groups: list[list[Feed]] = []
    end = len(ordered)
    while end > 0:
        groups.append(list(ordered[group_start[end] : end]))
        end = group_start[end]
    return cost[-1], groups[::-1]


def _pass_cost(sequences: int, new_tokens: int, past: int) -> float:
    """What a pass over so many sequences of one padded length costs, counted in tokens."""
    positions = past + new_tokens
    return PASS_COST + sequences * (new_tokens * (1 + ATTENTION_COST * positions) + RECALL_COST * positions)
