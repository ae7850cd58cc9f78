"""What was planted against what was flagged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from service.demo.bundle import PlantedError
from service.demo.outcome import RaisedFlag

Verdict = Literal["found", "noticed", "missed"]
"""`found`: flagged as what it is; `noticed`: flagged at the right place as something else."""


@dataclass(frozen=True, slots=True)
class Result:
    """A planted error and the flags that point at it, those that name it rightly first."""

    error: PlantedError
    flags: tuple[RaisedFlag, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether the flags found the error."""
        if not self.flags:
            return "missed"
        return "found" if self.flags[0].flag.type in self.error.flags else "noticed"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All planted errors with their flags, and the flags that point at none of them."""

    results: tuple[Result, ...]
    for_nothing: tuple[RaisedFlag, ...]

    def count(self, verdict: Verdict) -> int:
        """How many planted errors came to that."""
        return sum(result.verdict == verdict for result in self.results)


def compare(errors: Sequence[PlantedError], flags: Sequence[RaisedFlag]) -> Comparison:
    """Gives each flag to the errors it points at."""
    results = tuple(
        Result(
            error,
            tuple(
                sorted(
                    (flag for flag in flags if points_at(flag, error)),
                    key=lambda flag: flag.flag.type not in error.flags,
                )
            ),
        )
        for error in errors
    )
    for_nothing = tuple(flag for flag in flags if not any(points_at(flag, error) for error in errors))
    return Comparison(results, for_nothing)


def points_at(raised: RaisedFlag, error: PlantedError) -> bool:
    """Whether a reader of the flag would look at the error: at its words, or at a later segment that refers to it."""
    flag = raised.flag
    if flag.call_id != error.call_id:
        return False
    if flag.sequence == error.sequence:
        return flag.span is None or not error.written or _overlaps(flag.span, error.written, raised.text)
    return any(related.sequence == error.sequence for related in flag.related)


def _overlaps(span: tuple[int, int], words: str, text: str) -> bool:
    start = text.find(words)
    return start >= 0 and span[0] < start + len(words) and start < span[1]
