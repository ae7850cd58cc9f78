from typing import Any

from models.lexicon import Lexicon
from models.lexicon.lexicon import FORMAT

CONTENT: dict[str, Any] = {
    "format": FORMAT,
    "date": "2026-01-01",
    "sources": [],
    "terms": {"pain": "symptom", "chest pain": "symptom", "blood test": "procedure", "codeine": "drug"},
    "suggested": ["pain"],
    "confusable": [["codeine", "cocaine"]],
    "sounds": {"pain": "pEn", "chest": "tSest"},
    "commonness": {"pain": 76},
}
LEXICON = Lexicon(CONTENT)


def found(text: str) -> list[tuple[int, int, str]]:
    return [(mention.first, mention.last, mention.term) for mention in LEXICON.mentions(text.split())]


def test_the_longest_term_at_each_place_is_found_from_left_to_right() -> None:
    assert found("any chest pain or pain in the blood") == [(1, 2, "chest pain"), (4, 4, "pain")]
    assert found("blood") == []
    assert found("") == []


def test_confusions_hold_both_ways() -> None:
    assert LEXICON.confusable("codeine") == ("cocaine",)
    assert LEXICON.confusable("cocaine") == ("codeine",)
    assert LEXICON.confusable("pain") == ()


def test_words_sound_together_without_boundaries() -> None:
    assert LEXICON.sounds(["chest", "pain"]) == "tSestpEn"
    assert LEXICON.sounds(["pains"]) == "pEnz"


def test_it_knows_english_words_and_how_common_they_are() -> None:
    assert LEXICON.is_word("pain")
    assert LEXICON.is_word("chest")
    assert not LEXICON.is_word("zxolitol")
    assert LEXICON.commonness("pain") == 76
    assert LEXICON.commonness("zxolitol") is None


def test_common_words_are_those_whose_sound_is_known() -> None:
    lexicon = Lexicon(
        CONTENT
        | {"commonness": {"pain": 76, "chest": 71, "zest": 60, "the": 104}, "sounds": CONTENT["sounds"]}
    )

    assert lexicon.common_words(70) == ("chest", "pain")
    assert lexicon.common_words(72) == ("pain",)


def test_a_mention_does_not_show_what_was_said() -> None:
    assert "pain" not in repr(LEXICON.mentions(["pain"]))
