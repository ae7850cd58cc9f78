"""Keys and values of running texts, in pages of a fixed store: bounded, and what is missed least goes first."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int64]
Pages = NDArray[np.int64]

NO_PAGES: Pages = np.empty(0, dtype=np.int64)

PATIENCE = 6
"""A stream is over when every stream could have been used so often since its last use."""

FEW_STREAMS = 64
"""With fewer streams than this, patience is as with so many: a handful of calls may pause for long."""


@dataclass(frozen=True, slots=True)
class CachedPrefix:
    """The beginning of a sequence whose keys and values are at hand: its tokens' number and pages in order."""

    length: int
    pages: Pages

    def upto(self, length: int, page_tokens: int) -> "CachedPrefix":
        """The same prefix, at most `length` tokens of it."""
        if length >= self.length:
            return self
        return CachedPrefix(length, self.pages[: -(-length // page_tokens)])


@dataclass(slots=True)
class _Sequence:
    tokens: Tokens = field(repr=False)
    pages: Pages
    last_list: int


@dataclass(slots=True)
class _Stream:
    """A call: its running text, and those before it that the present list of requests may still ask about."""

    sequences: list[_Sequence] = field(default_factory=list)
    last_use: int = 0
    last_list: int = 0

    def closest(self, tokens: Tokens) -> tuple[_Sequence | None, int]:
        """The sequence with the longest common beginning, and its length; (None, 1) if there is none."""
        best: tuple[_Sequence | None, int] = (None, 1)
        for sequence in self.sequences:
            length = common_length(sequence.tokens, tokens)
            if length > best[1]:
                best = sequence, length
        return best


class PageStore:
    """One float16 array of pages, and which stream owns which page.

    A page holds `page_tokens` consecutive tokens of every layer and head; page 0 holds the start token, for
    sequences of which nothing else is cached. The array's memory is touched, and so becomes resident, only as
    pages are first used.

    A stream's text that begins anew replaces the one before once the list of requests that asked about both is
    over. A stream whose call has ended stops without a word: what has not been used for long, counted in uses of
    others, is forgotten even where there is room. So memory follows the number of calls that are live.

    If all are in use and there is no room, the least recently used one would be the very next to be asked for,
    since calls speak in turn, and no call would ever find its own. Instead those go that were used just before
    the present list: their calls have spoken, and come back last.

    Args:
        start_state: Keys and values of the start token: float16 [2 layers, kv_heads, head_width].
        capacity: Tokens to remember over all streams.
        page_tokens: Tokens of a page.

    Attributes:
        rows: The graph's `pages` input: [page_count * 2 layers * kv_heads, page_tokens * head_width].
        evictions: Streams that were in use and had to go, since the store was made.
    """

    def __init__(self, start_state: NDArray[np.float16], capacity: int, page_tokens: int) -> None:
        planes, kv_heads, head_width = start_state.shape
        page_count = 1 + -(-capacity // page_tokens)
        self.rows = np.zeros((planes * kv_heads * page_count, page_tokens * head_width), dtype=np.float16)
        self.page_tokens = page_tokens
        self.evictions = 0
        self._page_count = page_count
        self._slots = self.rows.reshape(page_count, planes, kv_heads, page_tokens, head_width)
        self._row_in_page = np.arange(planes * kv_heads).reshape(planes, 1, kv_heads, 1)
        self._rows_of_page = planes * kv_heads
        self._start_state = start_state
        self._slots[0, :, :, 0] = start_state
        self._start = CachedPrefix(1, np.zeros(1, dtype=np.int64))
        self._free = list(range(page_count - 1, 0, -1))
        self._streams: OrderedDict[str, _Stream] = OrderedDict()
        self._tokens = 0
        self._uses = 0
        self._lists = 0

    def __len__(self) -> int:
        """Tokens remembered now, over all streams."""
        return self._tokens

    def begin_list(self) -> None:
        """Says that a new list of requests begins. What one list looks up or keeps is not evicted within it."""
        self._lists += 1

    def prefix(self, name: str | None, tokens: Tokens) -> CachedPrefix:
        """The longest cached beginning of `tokens` in the named stream: the start token at least.

        Valid until the next `keep`.
        """
        stream = self._streams.get(name) if name is not None else None
        if stream is None:
            return self._start
        sequence, length = stream.closest(tokens)
        if sequence is None:
            return self._start
        stream.last_list = sequence.last_list = self._lists
        return CachedPrefix(length, sequence.pages[: self._pages_for(length)])

    def recall(self, prefix: CachedPrefix) -> NDArray[np.float16]:
        """Keys and values of a prefix: [2 layers, kv_heads, tokens, head_width], a copy."""
        planes, kv_heads, _, head_width = self._slots.shape[1:]
        pages = self._slots[prefix.pages].transpose(1, 2, 0, 3, 4)
        return pages.reshape(planes, kv_heads, -1, head_width)[:, :, : prefix.length]

    def row_indices(self, prefixes: Sequence[CachedPrefix], new_tokens: int) -> NDArray[np.int64]:
        """The graph's `past_pages` input, with room for so many new tokens after the longest prefix.

        [2 layers, sequences, kv_heads, pages].
        """
        longest = max(prefix.length for prefix in prefixes)
        table = np.zeros((len(prefixes), self._pages_for(longest + new_tokens)), dtype=np.int64)
        for row, prefix in zip(table, prefixes, strict=True):
            row[: len(prefix.pages)] = prefix.pages
        return np.asarray(self._row_in_page + self._rows_of_page * table[None, :, None, :])

    def keep(self, name: str, tokens: Tokens, known: int, present: NDArray[np.float16]) -> None:
        """Remembers `tokens` in the named stream; the first `known` of them were its cached prefix.

        Does nothing when the store is too small, or when that prefix has been evicted meanwhile.

        Args:
            name: The stream.
            tokens: int64 [tokens], the start token first.
            known: How many of them `prefix` gave.
            present: Keys and values of the others: [2 layers, kv_heads, tokens - known, head_width].
        """
        self._uses += 1
        stream = self._streams.pop(name, None) or _Stream()
        stream.last_use, stream.last_list = self._uses, self._lists
        source, length = stream.closest(tokens)
        for sequence in [each for each in stream.sequences if each.last_list < self._lists]:
            if sequence is not source or known == 1:
                self._release(self._take(stream, sequence))
        self._forget_what_is_over()
        if known <= length:
            self._add(stream, source if known > 1 else None, tokens, known, present)
        if stream.sequences:
            self._streams[name] = stream

    def _add(
        self,
        stream: _Stream,
        source: _Sequence | None,
        tokens: Tokens,
        known: int,
        present: NDArray[np.float16],
    ) -> None:
        """Writes a sequence into pages: those of its source if it goes on from it, else new ones."""
        pages = NO_PAGES
        if source is not None and 2 * known >= len(source.tokens):
            pages = self._take(stream, source)
        elif (
            source is not None
        ):  # a text of its own that happens to begin alike; the other may be asked about
            beginning = self.recall(CachedPrefix(known, source.pages[: self._pages_for(known)]))
            present, known = np.concatenate([beginning[:, :, 1:], present], axis=2), 1
        if not self._make_room(self._pages_for(len(tokens)), pages):
            self._release(pages)
            return
        pages = self._resize(pages, self._pages_for(len(tokens)))
        for index in range(known // self.page_tokens, len(pages)):
            first, end = max(known, index * self.page_tokens), (index + 1) * self.page_tokens
            places = slice(first % self.page_tokens, None)
            new = present[:, :, first - known : end - known]
            self._slots[pages[index], :, :, places][:, :, : new.shape[2]] = new
        self._slots[pages[0], :, :, 0] = self._start_state
        stream.sequences.append(_Sequence(tokens, pages, self._lists))
        self._tokens += len(tokens)

    def _pages_for(self, tokens: int) -> int:
        return -(-tokens // self.page_tokens)

    def _forget_what_is_over(self) -> None:
        patience = PATIENCE * max(len(self._streams), FEW_STREAMS)
        while self._streams:
            name, stream = next(iter(self._streams.items()))
            if self._uses - stream.last_use <= patience:
                return
            self._drop(name)

    def _make_room(self, count: int, owned: Pages) -> bool:
        """Evicts streams until so many pages are free or owned; none goes for what fits nowhere."""
        if count >= self._page_count:
            return False
        while len(self._free) + len(owned) < count and self._streams:
            self._drop(self._least_missed())
            self.evictions += 1
        return len(self._free) + len(owned) >= count

    def _least_missed(self) -> str:
        """The stream used last before the present list; if there is none, the first of the list."""
        earlier = (name for name in reversed(self._streams) if self._streams[name].last_list < self._lists)
        return next(earlier, next(iter(self._streams)))

    def _drop(self, name: str) -> None:
        stream = self._streams.pop(name)
        for sequence in tuple(stream.sequences):
            self._release(self._take(stream, sequence))

    def _take(self, stream: _Stream, sequence: _Sequence) -> Pages:
        """Takes a sequence out of its stream; its pages are the caller's."""
        stream.sequences = [each for each in stream.sequences if each is not sequence]
        self._tokens -= len(sequence.tokens)
        return sequence.pages

    def _resize(self, pages: Pages, count: int) -> Pages:
        self._release(pages[count:])
        added = [self._free.pop() for _ in range(count - len(pages))]
        return np.append(pages[:count], np.array(added, dtype=np.int64))

    def _release(self, pages: Pages) -> None:
        self._free.extend(pages.tolist())


def common_length(one: Tokens, other: Tokens) -> int:
    """How many tokens two sequences have in common at their beginnings."""
    length = min(len(one), len(other))
    differing = np.flatnonzero(one[:length] != other[:length])
    return int(differing[0]) if len(differing) else length
