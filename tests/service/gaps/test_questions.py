from service.dialogue.spoken_terms import spoken_terms
from service.gaps.questions import open_question
from tests.service.moments import line


def is_open(asked: str, then: str) -> bool:
    return (
        open_question(line(1, ("clinician", then)), line(0, ("clinician", asked)), spoken_terms()) is not None
    )


def test_a_question_that_its_asker_leaves_is_open() -> None:
    assert is_open("do you have any allergies", "and what do you do for work")


def test_a_question_that_is_asked_again_is_not() -> None:
    assert not is_open("have you opened your bowels normally", "have you opened your bowels today")


def test_a_question_that_is_answered_by_doing_is_not() -> None:
    assert not is_open("can you hear me", "and what brings you in today")


def test_words_after_a_question_close_it() -> None:
    assert not is_open("any fever okay so i'll send you some tablets", "and a cream")


def test_a_statement_asks_nothing() -> None:
    assert not is_open("i'll send the prescription to your pharmacy", "and take them with food")
