"""`symptom_omission`: an utterance that tells of a symptom is lost as a whole; its segment stays, without text."""

from random import Random

from service.dialogue.terms import TermCategory, TermMatcher
from service.perturbation.base import Original

_TOLD: frozenset[TermCategory] = frozenset({"symptom", "condition"})
_LEAST_WORDS = 3
"""A shorter line only repeats the name of what was asked."""


class SymptomOmission:
    """Leaves nothing of an utterance that tells or denies a symptom or condition, or answers where it is.

    Args:
        terms: Finds medical terms.
    """

    name = "symptom_omission"

    def __init__(self, terms: TermMatcher) -> None:
        self._terms = terms

    def alter(self, original: Original, rng: Random) -> str | None:  # noqa: ARG002 - there is one way to lose it all
        """An empty text, if the utterance tells of a symptom."""
        words = original.said.words
        if len(words) < _LEAST_WORDS:
            return None
        told = (
            original.said.span(term.first, term.last)
            for term in self._terms.match(words)
            if term.category in _TOLD or (original.answers and term.category == "anatomy")
        )
        asked = original.asks
        return "" if any(not _within(span, asked) for span in told) else None


def _within(span: tuple[int, int], stretches: tuple[tuple[int, int], ...]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in stretches)
