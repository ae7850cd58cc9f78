import math

import pytest

from service.repair.consultation_words import ConsultationWords

# In English both words are as common as each other: a thousand times of two thousand.
ENGLISH = {"cough": 30, "coffee": 30, "it's": 30}


def test_a_word_that_consultations_use_more_leans_towards_them() -> None:
    words = ConsultationWords({"cough": 90, "coffee": 10}, 100, {"cough": 30, "coffee": 30})

    assert words.leaning(["cough"]) == pytest.approx(math.log(92 / 52))
    assert words.leaning(["coffee"]) == pytest.approx(math.log(12 / 52))


def test_several_words_lean_together() -> None:
    words = ConsultationWords({"cough": 90}, 100, ENGLISH)

    assert words.leaning(["cough", "cough"]) == pytest.approx(2 * words.leaning(["cough"]))
    assert words.leaning([]) == 0.0


def test_a_word_that_nobody_counted_leans_nowhere() -> None:
    words = ConsultationWords({"bisoprolol": 1}, 100, ENGLISH)

    assert words.leaning(["bisoprolol", "zorbicillin"]) == 0.0


def test_contractions_lean_nowhere_since_books_do_not_use_them_as_speech_does() -> None:
    assert ConsultationWords({"it's": 90}, 100, ENGLISH).leaning(["it's"]) == 0.0


def test_a_word_that_is_rare_in_both_hardly_leans() -> None:
    words = ConsultationWords({"cough": 1}, 100, {"cough": 0, "the": 40})

    assert abs(words.leaning(["cough"])) < 0.5
