"""The clinical lexicon as a matcher: drugs, conditions, procedures and laboratory tests by their names."""

from collections.abc import Sequence

from models.lexicon import Category, Lexicon
from service.dialogue.terms import TermCategory, TermMatch

_CATEGORIES: dict[Category, TermCategory] = {
    "drug": "drug",
    "condition": "condition",
    "symptom": "symptom",
    "procedure": "procedure",
    "lab": "lab",
}
"""Body parts are few and are matched with the spoken terms; dose forms are read as quantities."""


class LexiconTerms:
    """Finds the lexicon's terms among words.

    Args:
        lexicon: The built lexicon.
        categories: Those to find.
    """

    def __init__(self, lexicon: Lexicon, categories: Sequence[Category] = ("drug", "condition")) -> None:
        self._lexicon = lexicon
        self._categories = {category: _CATEGORIES[category] for category in categories}

    def match(self, words: Sequence[str]) -> tuple[TermMatch, ...]:
        """Terms in order, without overlap; a term is its own canonical name."""
        return tuple(
            TermMatch(mention.first, mention.last, self._categories[mention.category], mention.term)
            for mention in self._lexicon.mentions(words)
            if mention.category in self._categories
        )
