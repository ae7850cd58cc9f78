"""`medical_homophone`: a medical term is replaced by what it sounds like. "An itchy arm" becomes "an it's key arm"."""

from collections.abc import Sequence
from random import Random

from service.dialogue.terms import TermCategory, TermMatch, TermMatcher
from service.perturbation.base import Original
from service.perturbation.editing import Change, changed
from service.perturbation.sound_alikes import SoundAlikes

_CATEGORIES: frozenset[TermCategory] = frozenset(
    {"drug", "condition", "symptom", "procedure", "lab", "anatomy"}
)
_CONTRACTED = "'s"


class MedicalHomophone:
    """Replaces a word of a term by common words that sound like it, a drug also by another drug.

    Args:
        terms: Finds medical terms.
        alikes: What sounds like a word.
    """

    name = "medical_homophone"

    def __init__(self, terms: TermMatcher, alikes: SoundAlikes) -> None:
        self._terms = terms
        self._alikes = alikes

    def alter(self, original: Original, rng: Random) -> str | None:
        """The text with one term misheard."""
        words = original.said.words
        terms = [term for term in self._terms.match(words) if term.category in _CATEGORIES]
        rng.shuffle(terms)
        for term in terms:
            if change := self._misheard(original, term, rng):
                altered = changed(original.text, [change])
                if altered != original.text:
                    return altered
        return None

    def _misheard(self, original: Original, term: TermMatch, rng: Random) -> Change | None:
        words = original.said.words
        if term.category == "drug":
            others = self._alikes.drugs(" ".join(words[term.first : term.last + 1]))
            if others and rng.random() < 0.5:
                return Change(*original.place(term.first, term.last), _ranked(others, rng))
        at = self._word(words, term, rng)
        heard = self._alikes.words(words[at])
        if not heard:
            return None
        start, end = original.place(at, at)
        contracted = words[at + 1 : at + 2] == (_CONTRACTED,) and original.said.places[at + 1] == (start, end)
        return Change(start, end - contracted * len(_CONTRACTED), _ranked(heard, rng))

    def _word(self, words: Sequence[str], term: TermMatch, rng: Random) -> int:
        """One word of the term that means something medical by itself; else its last, which is its noun."""
        places = [at for at in range(term.first, term.last + 1) if self._terms.match((words[at],))]
        return rng.choice(places) if places else term.last


def _ranked(likeliest_first: Sequence[str], rng: Random) -> str:
    """One of them, each half as likely as the one before it."""
    weights = [1 << place for place in reversed(range(len(likeliest_first)))]
    return rng.choices(likeliest_first, weights)[0]
