"""Rows of bytes by sequence, bounded: how a call remembers something of each of its thousands of segments.

They are kept as a state holds them, so that writing a thousand of them is one join and not a thousand conversions.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator

from typing_extensions import TypedDict


class SequenceRowsForm(TypedDict):
    """Rows in a call's state.

    Attributes:
        runs: First sequence and length of each run of neighbours, in the order in which they were taken in.
        rows: All rows in that order, as base64.
    """

    runs: list[tuple[int, int]]
    rows: str


class SequenceRows:
    """One row for each of the last sequences.

    Args:
        limit: Most sequences kept; the one taken in first is forgotten first.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rows: dict[int, bytes] = {}
        self._runs: list[list[int]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, sequence: int) -> bytes | None:
        """The row of a sequence, if it is remembered."""
        return self._rows.get(sequence)

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Each sequence with its row, in the order in which they were taken in."""
        return iter(self._rows.items())

    def put(self, sequence: int, row: bytes) -> tuple[int, bytes] | None:
        """Takes a row in, or replaces that of a known sequence where it stands.

        Args:
            sequence: Its sequence.
            row: As many bytes as every other.

        Returns:
            What was forgotten for it.
        """
        if sequence not in self._rows:
            last = self._runs[-1] if self._runs else None
            if last is not None and sequence == last[0] + last[1]:
                last[1] += 1
            else:
                self._runs.append([sequence, 1])
        self._rows[sequence] = row
        return self._forget_first() if len(self._rows) > self._limit else None

    def form(self) -> SequenceRowsForm:
        """All rows, as plain data."""
        return {
            "runs": [(first, length) for first, length in self._runs],
            "rows": b64encode(b"".join(self._rows.values())).decode("ascii"),
        }

    @classmethod
    def of_form(cls, form: SequenceRowsForm, limit: int, width: int) -> "SequenceRows":
        """The rows that wrote a form; of more than the limit, the last ones.

        Args:
            form: From `form`.
            limit: Most sequences kept.
            width: Bytes of a row.

        Raises:
            ValueError: runs and rows do not fit each other.
        """
        packed = b64decode(form["rows"], validate=True)
        lengths = [length for _, length in form["runs"]]
        if sum(lengths) * width != len(packed) or min(lengths, default=1) < 1:
            raise ValueError("rows do not fit their runs")
        resumed = cls(limit)
        at = 0
        for first, length in form["runs"]:
            for sequence in range(first, first + length):
                resumed.put(sequence, packed[at : at + width])
                at += width
        return resumed

    def _forget_first(self) -> tuple[int, bytes]:
        first = next(iter(self._rows))
        run = self._runs[0]
        run[0] += 1
        run[1] -= 1
        if not run[1]:
            del self._runs[0]
        return first, self._rows.pop(first)
