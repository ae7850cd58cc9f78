"""Keys and values of running texts, in pages of a fixed store: bounded, least recently used goes first."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int64]
Pages = NDArray[np.int64]


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
class _Stream:
    tokens: Tokens = field(repr=False)
    pages: Pages


class PageStore:
    """One float16 array of pages, and which stream owns which page.

    A page holds `page_tokens` consecutive tokens of every layer and head; page 0 holds the start token, for
    sequences of which nothing else is cached. The array's memory is touched, and so becomes resident, only as
    pages are first used.

    Args:
        start_state: Keys and values of the start token: float16 [2 layers, kv_heads, head_width].
        capacity: Tokens to remember over all streams.
        page_tokens: Tokens of a page.
    """

    def __init__(self, start_state: NDArray[np.float16], capacity: int, page_tokens: int) -> None:
        planes, kv_heads, head_width = start_state.shape
        page_count = 1 + -(-capacity // page_tokens)
        self.rows = np.zeros((planes * kv_heads * page_count, page_tokens * head_width), dtype=np.float16)
        """The graph's `pages` input: [page_count * 2 layers * kv_heads, page_tokens * head_width]."""
        self.page_tokens = page_tokens
        self._page_count = page_count
        self._slots = self.rows.reshape(page_count, planes, kv_heads, page_tokens, head_width)
        self._row_in_page = np.arange(planes * kv_heads).reshape(planes, 1, kv_heads, 1)
        self._rows_of_page = planes * kv_heads
        self._start_state = start_state
        self._slots[0, :, :, 0] = start_state
        self._start = CachedPrefix(1, np.zeros(1, dtype=np.int64))
        self._free = list(range(page_count - 1, 0, -1))
        self._streams: OrderedDict[str, _Stream] = OrderedDict()

    def __len__(self) -> int:
        """Tokens remembered now, over all streams."""
        return sum(len(stream.tokens) for stream in self._streams.values())

    def prefix(self, name: str | None, tokens: Tokens) -> CachedPrefix:
        """The longest cached beginning of `tokens` in the named stream: the start token at least.

        Valid until the next `keep`.
        """
        if name is None or name not in self._streams:
            return self._start
        stream = self._streams[name]
        self._streams.move_to_end(name)
        length = common_length(stream.tokens, tokens)
        return CachedPrefix(length, stream.pages[: self._pages_for(length)])

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
        """Remembers `tokens` as the named stream, of which the first `known` were its cached prefix.

        Does nothing when the store is too small, or when that prefix has been evicted meanwhile.

        Args:
            name: The stream.
            tokens: int64 [tokens], the start token first.
            known: How many of them `prefix` gave.
            present: Keys and values of the others: [2 layers, kv_heads, tokens - known, head_width].
        """
        stream = self._streams.pop(name, None)
        pages = stream.pages if stream is not None else np.empty(0, dtype=np.int64)
        evicted = known > 1 and (stream is None or common_length(stream.tokens, tokens) < known)
        if (
            evicted
            or self._pages_for(len(tokens)) >= self._page_count
            or not self._make_room(self._pages_for(len(tokens)) - len(pages))
        ):
            self._release(pages)
            return
        pages = self._resize(pages, self._pages_for(len(tokens)))
        positions = np.arange(known, len(tokens))
        page_of, place_in = pages[positions // self.page_tokens], positions % self.page_tokens
        self._slots[page_of, :, :, place_in] = present.transpose(2, 0, 1, 3)
        self._slots[pages[0], :, :, 0] = self._start_state
        self._streams[name] = _Stream(tokens, pages)

    def _pages_for(self, tokens: int) -> int:
        return -(-tokens // self.page_tokens)

    def _make_room(self, pages: int) -> bool:
        """Evicts the least recently used streams until so many pages are free."""
        while len(self._free) < pages and self._streams:
            _, stream = self._streams.popitem(last=False)
            self._release(stream.pages)
        return len(self._free) >= pages

    def _resize(self, pages: Pages, count: int) -> Pages:
        self._release(pages[count:])
        added = [self._free.pop() for _ in range(count - len(pages))]
        return np.append(pages[:count], np.array(added, dtype=np.int64))

    def _release(self, pages: Pages) -> None:
        self._free.extend(int(page) for page in pages)


def common_length(one: Tokens, other: Tokens) -> int:
    """How many tokens two sequences have in common at their beginnings."""
    length = min(len(one), len(other))
    differing = np.flatnonzero(one[:length] != other[:length])
    return int(differing[0]) if len(differing) else length
