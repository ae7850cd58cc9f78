"""`censor_diagnosis`: a diagnosis is lost. "My mum has migraines." becomes "My mum has."."""

from random import Random

from service.dialogue.terms import TermMatcher
from service.perturbation.base import Original
from service.perturbation.dropping import without_one_of


class CensorDiagnosis:
    """Drops a condition, an allergy included: what somebody has, was found to have, or is asked about.

    Args:
        terms: Finds medical terms.
    """

    name = "censor_diagnosis"

    def __init__(self, terms: TermMatcher) -> None:
        self._terms = terms

    def alter(self, original: Original, rng: Random) -> str | None:
        """The text without one of its diagnoses."""
        named = [term for term in self._terms.match(original.said.words) if term.category == "condition"]
        return without_one_of(named, original, rng)
