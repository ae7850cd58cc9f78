"""Medical words: which terms there are, how every word sounds, how common it is. Built once, loaded fast."""

from models.lexicon.categories import CATEGORIES, Category
from models.lexicon.lexicon import Lexicon, Mention, load_lexicon

__all__ = ["CATEGORIES", "Category", "Lexicon", "Mention", "load_lexicon"]
