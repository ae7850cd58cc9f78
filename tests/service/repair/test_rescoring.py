import re

import numpy as np
import pytest

from models.interfaces import TokenScores
from service.dialogue.lines import scored_text
from service.dialogue.tokens import tokenise
from service.repair.candidates import Candidate, Kind
from service.repair.rescoring import Repair, best_repairs, reading_with, term_alone, weigh
from service.repair.settings import RepairSettings

SETTINGS = RepairSettings()


def candidate(first: int, last: int, kind: Kind = "misheard", price: float = 2.0) -> Candidate:
    return Candidate(first, last, "headaches", "symptom", kind, price, promise=5.0)


def word_by_word(text: str) -> TokenScores:
    """Gives each word, and the line's end, its own power of two, so that a sum says which were added up."""
    spans = [match.span() for match in re.finditer(r"\S+|\n", text)]
    return TokenScores(
        np.array([2.0**at for at in range(len(spans))], dtype=np.float32), np.array(spans, dtype=np.int32)
    )


def test_both_readings_share_the_words_before_the_change_and_have_the_line_after_it_in_common() -> None:
    reading = reading_with(tokenise("any head eggs today"), candidate(1, 2), following_words=5)

    assert (reading.shared, reading.text) == (" any", " headaches today\n")


def test_the_line_is_compared_from_the_change_to_its_end() -> None:
    words = tokenise("any head eggs today")
    reading = reading_with(words, candidate(1, 2), following_words=5)

    assert reading.nats_of(word_by_word(scored_text(words))) == 2 + 4 + 8 + 16


def test_words_far_behind_the_change_and_the_end_of_the_line_are_left_out() -> None:
    words = tokenise("any head eggs today or the day before")
    reading = reading_with(words, candidate(1, 2), following_words=2)

    assert reading.text == " headaches today or"
    assert reading.nats_of(word_by_word(scored_text(words))) == 2 + 4 + 8 + 16


def test_a_change_of_the_first_word_shares_nothing_but_the_context() -> None:
    words = tokenise("head eggs")
    reading = reading_with(words, candidate(0, 1), following_words=0)

    assert (reading.shared, reading.text) == ("", " headaches\n")
    assert reading.nats_of(word_by_word(scored_text(words))) == 1 + 2 + 4


def test_a_term_alone_is_compared_with_the_words_that_it_replaces() -> None:
    words = tokenise("any head eggs today")
    reading = term_alone(words, candidate(1, 2))

    assert (reading.shared, reading.text) == (" any", " headaches")
    assert reading.nats_of(word_by_word(scored_text(words))) == 2 + 4


def test_the_price_is_paid_from_the_gain() -> None:
    assert weigh(candidate(0, 0, price=2.0), 10.0, SETTINGS).gain == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("kind", "enough"), [("misheard", SETTINGS.flag_gain), ("confusable", SETTINGS.confusable_gain)]
)
def test_a_repair_convinces_from_the_threshold_of_its_kind_on(kind: Kind, enough: float) -> None:
    assert weigh(candidate(0, 0, kind, price=0.0), enough, SETTINGS).convincing
    assert not weigh(candidate(0, 0, kind, price=0.0), enough - 0.1, SETTINGS).convincing


def test_of_repairs_that_share_words_the_best_is_kept() -> None:
    repairs = [
        Repair(candidate(0, 1), 7.0, convincing=True),
        Repair(candidate(1, 2), 9.0, convincing=True),
        Repair(candidate(3, 3), 8.0, convincing=True),
        Repair(candidate(5, 5), 1.0, convincing=False),
    ]

    assert [repair.gain for repair in best_repairs(repairs)] == [9.0, 8.0]
