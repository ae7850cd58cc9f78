"""A bounded memory of recent results, by a digest of what they are the result of. It keeps no text."""

from collections import OrderedDict
from hashlib import blake2b
from typing import Generic, TypeVar

Result = TypeVar("Result")


class RecentResults(Generic[Result]):
    """Forgets the least recently used result when it is full.

    Args:
        capacity: Most results kept; 0 keeps none.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._results: OrderedDict[bytes, Result] = OrderedDict()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, *texts: str) -> Result | None:
        """The result for these texts, or None."""
        key = _digest(texts)
        if key not in self._results:
            return None
        self._results.move_to_end(key)
        return self._results[key]

    def put(self, result: Result, *texts: str) -> None:
        """Remembers the result for these texts."""
        self._results[_digest(texts)] = result
        if len(self._results) > self._capacity:
            self._results.popitem(last=False)


def _digest(texts: tuple[str, ...]) -> bytes:
    digest = blake2b(digest_size=16)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8))
        digest.update(content)
    return digest.digest()
