"""Silence between the words of a call: how long nobody was heard before a line, or after one."""

from collections.abc import Sequence

from service.dialogue.lines import Line

_LOOK_BACK = 6


def silence_before(line: Line, before: Sequence[Line]) -> float | None:
    """Seconds from the last words of anybody to a line; None where times are not known, 0 where they overlap."""
    ends = [earlier.end for earlier in before[-_LOOK_BACK:] if earlier.end is not None]
    if line.start is None or not ends:
        return None
    return max(0.0, line.start - max(ends))


def silence_after(earlier: Line, later: Sequence[Line]) -> float | None:
    """Seconds until anybody is heard after a line; None where times are not known, 0 where they overlap.

    Args:
        earlier: After it.
        later: All lines since, in any order. What ends before `earlier` does, was said into it.
    """
    if earlier.end is None:
        return None
    starts = [
        one.start for one in later if one.start is not None and one.end is not None and one.end > earlier.end
    ]
    return max(0.0, min(starts) - earlier.end) if starts else None
