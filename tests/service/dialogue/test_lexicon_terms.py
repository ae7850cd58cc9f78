"""The clinical lexicon as a matcher of terms."""

from models.lexicon.lexicon import FORMAT, Lexicon
from service.dialogue.lexicon_terms import LexiconTerms

LEXICON = Lexicon(
    {
        "format": FORMAT,
        "date": "2026-01-01",
        "sources": [],
        "terms": {"ibuprofen": "drug", "sinus infection": "condition", "knee": "anatomy", "tablet": "form"},
        "suggested": [],
        "confusable": [],
        "sounds": {},
        "commonness": {},
    }
)


def test_drugs_and_conditions_are_found_by_their_names() -> None:
    found = LexiconTerms(LEXICON).match(("ibuprofen", "for", "a", "sinus", "infection"))

    assert [(term.first, term.last, term.category, term.canonical) for term in found] == [
        (0, 0, "drug", "ibuprofen"),
        (3, 4, "condition", "sinus infection"),
    ]


def test_body_parts_and_dose_forms_are_left_to_others() -> None:
    assert LexiconTerms(LEXICON).match(("one", "tablet", "for", "the", "knee")) == ()


def test_only_the_chosen_categories_are_found() -> None:
    assert [
        term.canonical for term in LexiconTerms(LEXICON, ("drug",)).match(("ibuprofen", "sinus", "infection"))
    ] == ["ibuprofen"]
