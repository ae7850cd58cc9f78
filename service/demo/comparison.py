"""What was planted against what was flagged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from service.demo.bundle import PlantedError
from service.demo.outcome import RaisedFlag
from streams.messages import Flag

Verdict = Literal["found", "noticed", "missed"]
"""`found`: its words are flagged as what they are; `noticed`: its segment is flagged for another reason."""


@dataclass(frozen=True, slots=True)
class Result:
    """A planted error and the flags that lead a reader to it.

    Attributes:
        naming: Flags that name it rightly.
        beside: Flags of its segment that do not.
    """

    error: PlantedError
    naming: tuple[RaisedFlag, ...]
    beside: tuple[RaisedFlag, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether the flags found the error."""
        if self.naming:
            return "found"
        return "noticed" if self.beside else "missed"

    @property
    def mended(self) -> bool:
        """Whether what was said is suggested."""
        said = self.error.said.casefold()
        return any((raised.flag.suggestion or "").casefold() == said for raised in self.naming)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All planted errors with their flags, and the flags that point at none of them."""

    results: tuple[Result, ...]
    for_nothing: tuple[RaisedFlag, ...]

    def count(self, verdict: Verdict) -> int:
        """How many planted errors came to that."""
        return sum(result.verdict == verdict for result in self.results)


def compare(errors: Sequence[PlantedError], flags: Sequence[RaisedFlag]) -> Comparison:
    """Gives each flag to the errors it leads to."""
    results = tuple(_result(error, flags) for error in errors)
    useful = {raised.flag.id for result in results for raised in (*result.naming, *result.beside)}
    return Comparison(results, tuple(raised for raised in flags if raised.flag.id not in useful))


def _result(error: PlantedError, flags: Sequence[RaisedFlag]) -> Result:
    leading = [raised for raised in flags if _leads_to(raised.flag, error)]
    naming = tuple(raised for raised in leading if _names(raised, error))
    # Where speech was lost there is nothing to be seen in the segment before it.
    beside = tuple(raised for raised in leading if raised not in naming) if error.written else ()
    return Result(error, naming, beside)


def _leads_to(flag: Flag, error: PlantedError) -> bool:
    """Whether it is about the error's segment, or is a later one that refers to it."""
    sequences = {flag.sequence, *(related.sequence for related in flag.related)}
    return flag.call_id == error.call_id and error.sequence in sequences


def _names(raised: RaisedFlag, error: PlantedError) -> bool:
    """Whether it is of a right type, and at the error's words if it is about their segment."""
    flag = raised.flag
    if flag.type not in error.flags:
        return False
    if flag.sequence != error.sequence or flag.span is None or not error.written:
        return True
    start = raised.text.find(error.written)
    return flag.span[0] < start + len(error.written) and start < flag.span[1]
