"""`negation_flip`: a yes or a negation turns into its opposite. "No, I don't." becomes "Yes, I do."."""

from random import Random

from service.dialogue.terms import TermMatcher
from service.perturbation.base import Original
from service.perturbation.editing import Change, changed
from service.perturbation.polarity.answers import turned_answer
from service.perturbation.polarity.negations import turned_negations
from service.perturbation.polarity.reading import Edits, Reading, clause_end, read_polarity
from service.perturbation.polarity.statements import denied


class NegationFlip:
    """Flips an answer together with its tag ("no, I haven't"), a negation, or a plain statement about a term.

    Args:
        terms: Finds medical terms.
    """

    name = "negation_flip"

    def __init__(self, terms: TermMatcher) -> None:
        self._terms = terms

    def alter(self, original: Original, rng: Random) -> str | None:
        """The text with one answer or statement turned round."""
        reading = read_polarity(original)
        flips = [
            flip
            for flip in (turned_answer(reading, original.answers, rng), *turned_negations(reading, rng))
            if flip
        ]
        if not reading.negated:
            flips += self._affirmations(reading, original)
        if not flips:
            return None
        edits = rng.choice(flips)
        altered = changed(original.text, [Change(*reading.places[at], word) for at, word in edits.items()])
        return altered if altered and altered != original.text else None

    def _affirmations(self, reading: Reading, original: Original) -> list[Edits]:
        """Statements that name a symptom, condition or drug, denied."""
        spans = [original.said.span(term.first, term.last) for term in self._terms.match(original.said.words)]
        return [
            edits
            for at in range(len(reading.words))
            if (edits := denied(reading, at))
            and not _asked(reading.places[at], original)
            and any(
                reading.places[at][0] <= start <= reading.places[clause_end(reading, at)][1]
                for start, _ in spans
            )
        ]


def _asked(place: tuple[int, int], original: Original) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in original.asks)
