"""Drops a term as recognisers do: the term is gone, the words around it stay, at times an article goes with it."""

from random import Random

from service.dialogue.terms import TermMatch
from service.perturbation.base import Original
from service.perturbation.editing import Change, changed

_ARTICLES = frozenset({"a", "an", "the"})
_SWALLOWED_ONE_IN = 4
"""So often an article, which is hardly spoken, goes with its noun."""


def without_one_of(terms: list[TermMatch], original: Original, rng: Random) -> str | None:
    """The text without one of the terms; None if there is none, or nothing else was said."""
    if not terms:
        return None
    term = rng.choice(terms)
    first, words = term.first, original.said.words
    swallows = rng.randrange(_SWALLOWED_ONE_IN) == 0
    if swallows and first > 0 and words[first - 1] in _ARTICLES:
        first -= 1
    return changed(original.text, [Change(*original.place(first, term.last))]) or None
