"""Decides which segments get which error: so many of each type, one per copy of a call, or many in one copy.

Chance comes from the seed alone, drawn anew for each call, type and segment: what is asked for besides, and which
other calls are there, changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from service.dialogue.terms import TermMatcher
from service.perturbation.base import ErrorType, Original
from service.perturbation.originals import originals
from service.perturbation.transcripts import RecordedCall
from streams.messages import Segment


@dataclass(frozen=True, slots=True)
class Injection:
    """One error in one segment."""

    call_id: str
    sequence: int
    type: str
    original: str = field(repr=False)
    altered: str = field(repr=False)

    @property
    def id(self) -> str:
        """Names it, and the copy of the call that holds it alone."""
        return f"{self.call_id}-{self.sequence}-{self.type}"


class Injector:
    """Puts errors into calls.

    Args:
        types: The error types.
        terms: Finds the clinical subjects of questions.
        seed: The same seed gives the same errors.
        speaker: Whose segments get errors; None: everyone's.
    """

    def __init__(
        self, types: Sequence[ErrorType], terms: TermMatcher, *, seed: int, speaker: str | None
    ) -> None:
        self._types = {one.name: one for one in types}
        self._terms = terms
        self._seed = seed
        self._speaker = speaker

    def one_per_copy(self, call: RecordedCall, per_type: int) -> list[Injection]:
        """Up to `per_type` errors of each type, each in a segment of its own among those of its type."""
        suitable = list(originals(call.segments, self._speaker, self._terms))
        return [
            injection
            for name in self._types
            for injection in _first(self._possible(call.call_id, name, suitable), per_type)
        ]

    def at_rate(self, call: RecordedCall, rate: float) -> list[Injection]:
        """Errors in a share of the segments, the types in turn, at most one in each; in the order of the call."""
        suitable = list(originals(call.segments, self._speaker, self._terms))
        wanted = round(rate * len(suitable))
        names = sorted(self._types)
        _random(self._seed, "order", call.call_id).shuffle(names)
        possible = [self._possible(call.call_id, name, suitable) for name in names]
        found: dict[int, Injection] = {}
        while possible and len(found) < wanted:
            errors = possible.pop(0)
            injection = next((one for one in errors if one.sequence not in found), None)
            if injection is not None:
                found[injection.sequence] = injection
                possible.append(errors)
        return [found[sequence] for sequence in sorted(found)]

    def _possible(
        self, call_id: str, name: str, suitable: Sequence[tuple[Segment, Original]]
    ) -> Iterator[Injection]:
        """Errors of a type, in random order of the segments."""
        shuffled = list(suitable)
        _random(self._seed, name, call_id).shuffle(shuffled)
        for segment, original in shuffled:
            rng = _random(self._seed, name, call_id, segment.sequence)
            altered = self._types[name].alter(original, rng)
            if altered is not None:
                yield Injection(call_id, segment.sequence, name, segment.text, altered)


def _random(*of: str | int) -> Random:
    """Chance for one purpose. Seeded with a text, whose hash is the same in every process and on every machine."""
    return Random("\n".join(map(str, of)))  # noqa: S311 - repeatable chance, nothing secret


def _first(injections: Iterator[Injection], most: int) -> list[Injection]:
    """The first of them, in the order of the call."""
    return sorted(
        (one for one, _ in zip(injections, range(most), strict=False)), key=lambda one: one.sequence
    )
