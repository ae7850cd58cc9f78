import numpy as np

from service.dialogue.tokens import tokenise
from service.repair.candidates import Candidate, CandidateFinder
from service.repair.settings import RepairSettings
from tests.service.repair.small_lexicon import LEXICON

SETTINGS = RepairSettings()


def candidates(text: str, *surprise: float, settings: RepairSettings = SETTINGS) -> list[Candidate]:
    return CandidateFinder(LEXICON, settings).candidates(tokenise(text), np.array(surprise))


def read(found: list[Candidate]) -> list[tuple[int, int, str, str]]:
    return [(one.first, one.last, one.term, one.kind) for one in found]


def test_surprising_words_that_sound_like_a_term_are_put_in_question_together() -> None:
    assert read(candidates("any head eggs", 1, 8, 12)) == [(1, 2, "headaches", "misheard")]


def test_words_that_are_expected_are_left_alone() -> None:
    assert candidates("any head eggs", 1, 3, 3) == []


def test_a_stretch_ends_where_words_are_expected() -> None:
    assert candidates("any head eggs", 1, 0.5, 12) == []


def test_words_that_both_readings_share_stay_as_they_are() -> None:
    assert read(candidates("the test infection", 0, 9, 3)) == [(1, 1, "chest", "misheard")]


def test_a_term_that_was_heard_in_another_form_is_not_repaired() -> None:
    assert candidates("pain's", 12) == []


def test_taking_a_valid_term_away_has_a_price() -> None:
    (repair,) = candidates(
        "headaches pain", 9, 9, settings=RepairSettings(distance=1.0, promise=-99, variants=1)
    )

    assert repair.price >= SETTINGS.valid_term_nats


def test_names_after_a_title_and_numbers_are_left_alone() -> None:
    assert candidates("doctor head eggs", 1, 8, 12) == []
    assert candidates("ten", 12) == []


def test_a_function_word_alone_is_not_put_in_question() -> None:
    assert candidates("so", 12) == []


def test_a_valid_term_that_is_known_to_be_confused_is_always_tested() -> None:
    assert read(candidates("hydroxyzine", 0.1)) == [(0, 0, "hydralazine", "confusable")]
    assert read(candidates("hypotension", 0.1)) == [(0, 0, "hypertension", "confusable")]


def test_no_line_is_worth_more_variants_than_the_settings_allow() -> None:
    settings = RepairSettings(variants=1)

    assert len(candidates("hydroxyzine hypotension", 9, 9, settings=settings)) == 1


def test_the_order_does_not_depend_on_what_was_looked_up_before() -> None:
    finder = CandidateFinder(LEXICON, SETTINGS)
    words, surprise = tokenise("any plane or head eggs"), np.array([1.0, 12, 2.5, 8, 12])

    assert finder.candidates(words, surprise) == finder.candidates(words, surprise)


def test_nothing_said_shows_in_a_repr() -> None:
    assert "headaches" not in repr(candidates("any head eggs", 1, 8, 12))
