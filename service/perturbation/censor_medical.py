"""`censor_medical`: a medical term is lost. "I take aspirin every morning" becomes "I take every morning"."""

from random import Random

from service.dialogue.terms import TermCategory, TermMatcher
from service.perturbation.base import Original
from service.perturbation.dropping import without_one_of

_CATEGORIES: frozenset[TermCategory] = frozenset({"drug", "condition", "procedure", "lab"})


class CensorMedical:
    """Drops a drug, condition, procedure, or laboratory test; an allergy counts as a condition.

    Args:
        terms: Finds medical terms.
    """

    name = "censor_medical"

    def __init__(self, terms: TermMatcher) -> None:
        self._terms = terms

    def alter(self, original: Original, rng: Random) -> str | None:
        """The text without one of its medical terms."""
        named = [term for term in self._terms.match(original.said.words) if term.category in _CATEGORIES]
        return without_one_of(named, original, rng)
