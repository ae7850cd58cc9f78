"""Our own lists of facts in `terms/`: one term, or one pair of terms, a line; `#` begins a comment."""

from collections.abc import Iterator
from importlib.resources import files

from models.lexicon.categories import Category

_LISTS: dict[str, Category] = {
    "forms_and_frequencies": "form",
    "procedures": "procedure",
    "labs": "lab",
    "anatomy": "anatomy",
    "symptoms": "symptom",
    "conditions": "condition",
    "drugs_brand": "drug",
    "drugs_generic": "drug",
}
_PAIR_LISTS = ("sound_alike_drugs", "opposite_terms")


def own_terms() -> dict[str, Category]:
    """Every listed term with its category. A term in several lists has the category of the last of them."""
    return {term: category for name, category in _LISTS.items() for term in _lines(name)}


def everyday_words() -> frozenset[str]:
    """Terms that people say more often in another sense: known, but no use as a suggestion."""
    return frozenset(_lines("everyday_words"))


def confusable_pairs() -> list[tuple[str, str]]:
    """Pairs of valid terms that are mistaken for one another: sound-alike drugs, and opposites."""
    pairs = (line.split(" | ") for name in _PAIR_LISTS for line in _lines(name))
    return [(first, second) for first, second in pairs]


def _lines(name: str) -> Iterator[str]:
    text = files("models.lexicon").joinpath("terms", f"{name}.txt").read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))
