"""Groups inputs of like length into batches, so that little is padded and few shapes occur."""

from collections.abc import Iterator, Sequence

STEP = 8
"""Lengths are rounded up to a multiple of this: few shapes keep the runtime's memory arena small."""


def buckets(
    lengths: Sequence[int], max_tokens: int, longest: int | None = None, step: int = STEP
) -> Iterator[tuple[int, list[int]]]:
    """Batches that cover all inputs, shortest first.

    Args:
        lengths: Tokens of each input.
        max_tokens: Most tokens of a batch, padding counted. A longer input is a batch of its own.
        longest: The model's longest input: nothing is padded beyond it. None: any length will do.
        step: Padded lengths are multiples of this, or `longest`.

    Yields:
        The padded length of a batch, and the indices of its inputs in their order.
    """
    by_length: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        by_length.setdefault(_padded(length, longest, step), []).append(index)
    for length in sorted(by_length):
        members = by_length[length]
        rows = max(1, max_tokens // length)
        for start in range(0, len(members), rows):
            yield length, members[start : start + rows]


def _padded(length: int, longest: int | None, step: int) -> int:
    rounded = -(-max(length, 1) // step) * step
    return rounded if longest is None else max(length, min(rounded, longest))
