"""The medical terms that errors fall on: those that are common in primary care and name something particular."""

from collections.abc import Sequence

from models.lexicon import Lexicon
from service.dialogue.lexicon_terms import LexiconTerms
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.terms import TermMatch

_GENERAL = frozenset(
    "medication medications medicine medicines tablets symptom symptoms episode episodes illness illnesses disease "
    "diseases diagnosed diagnosis examination examined pharmacy pharmacist chemist gp ambulance prescription prescribe "
    "prescribed referral surgical neurological viral counselling thermometer back fall falls "
    "stressful abnormal uncomfortable hydrated breathe panic".split()
) | {
    "physical examination",
    "repeat prescription",
    "recreational drugs",
    "the pill",
    "cranberry juice",
    "bright lights",
}
"""Nothing clinical is lost with them, or they mostly mean something else."""
_DIAGNOSES = frozenset(
    {"anxiety", "infection", "infections", "allergic reaction", "allergic reactions", "allergy"}
)
"""What doctors name as the illness, though the lists have it as a complaint or a topic."""


class MedicalTerms:
    """The lexicon's suggestable terms beside what people say in their own words; the longer one where both begin.

    Args:
        lexicon: Medical terms.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._listed = LexiconTerms(lexicon, ("drug", "condition", "symptom", "procedure", "lab"))

    def match(self, words: Sequence[str]) -> tuple[TermMatch, ...]:
        """Terms in order, without overlap. Their category is `condition` where they are a diagnosis."""
        own = spoken_terms().match(words)
        listed = [term for term in self._listed.match(words) if self._lexicon.is_suggested(term.canonical)]
        found: list[TermMatch] = []
        taken: set[int] = set()
        for term in sorted((*own, *listed), key=lambda term: term.first - term.last):
            places = range(term.first, term.last + 1)
            if taken.isdisjoint(places):
                taken.update(places)
                if " ".join(words[term.first : term.last + 1]) not in _GENERAL:
                    found.append(_as_diagnosis(term))
        return tuple(sorted(found, key=lambda term: term.first))


def _as_diagnosis(term: TermMatch) -> TermMatch:
    if term.canonical not in _DIAGNOSES:
        return term
    return TermMatch(term.first, term.last, "condition", term.canonical)
