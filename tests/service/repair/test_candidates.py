import numpy as np
import pytest

from models.lexicon import Lexicon
from models.lexicon.lexicon import FORMAT
from service.dialogue.lines import Line
from service.dialogue.tokens import tokenise
from service.repair.candidates import Candidate, CandidateFinder
from service.repair.consultation_words import ConsultationWords
from service.repair.settings import RepairSettings
from tests.service.repair.small_lexicon import LEXICON

SETTINGS = RepairSettings()
DRUGS = Lexicon(
    {
        "format": FORMAT,
        "date": "2026-01-01",
        "sources": [],
        "terms": {"bisoprolol": "drug", "propranolol": "drug"},
        "suggested": ["bisoprolol", "propranolol"],
        "confusable": [["bisoprolol", "propranolol"]],
        "sounds": {},
        "commonness": {},
    }
)
NO_LEANING = ConsultationWords({}, 0, {})


def candidates(
    text: str,
    *surprise: float,
    settings: RepairSettings = SETTINGS,
    consultations: ConsultationWords = NO_LEANING,
) -> list[Candidate]:
    finder = CandidateFinder(LEXICON, consultations, settings)
    return finder.candidates(tokenise(text), np.array(surprise))


def read(found: list[Candidate]) -> list[tuple[int, int, str, str]]:
    return [(one.first, one.last, one.term, one.kind) for one in found]


def test_surprising_words_that_sound_like_a_term_are_put_in_question_together() -> None:
    assert read(candidates("any head eggs", 1, 8, 12)) == [(1, 2, "headaches", "misheard")]


def test_words_that_are_expected_are_left_alone() -> None:
    assert candidates("any head eggs", 1, 3, 3) == []


def test_a_stretch_begins_and_ends_with_surprising_words() -> None:
    assert candidates("any head eggs", 1, 0.5, 12) == []
    assert candidates("any head eggs", 1, 12, 0.5) == []


def test_words_within_a_stretch_may_be_expected() -> None:
    assert read(candidates("any head the eggs", 1, 8, 0.5, 12)) == [(1, 3, "headaches", "misheard")]


def test_a_term_that_consultations_use_more_than_the_words_costs_less() -> None:
    consultations = ConsultationWords({"headaches": 500, "eggs": 1}, 1000, LEXICON.english_words)

    (neutral,) = candidates("any head eggs", 1, 8, 12)
    (likelier,) = candidates("any head eggs", 1, 8, 12, consultations=consultations)
    assert likelier.price < neutral.price
    assert likelier.promise - neutral.promise == pytest.approx(neutral.price - likelier.price)


def test_words_that_both_readings_share_stay_as_they_are() -> None:
    assert read(candidates("the test infection", 0, 9, 3)) == [(1, 1, "chest", "misheard")]


def test_a_term_that_was_heard_in_another_form_is_not_repaired() -> None:
    assert candidates("pain's", 12) == []


def test_taking_a_valid_term_away_has_a_price() -> None:
    (repair,) = candidates(
        "headaches pain", 9, 9, settings=RepairSettings(distance=1.0, promise=-99, variants=1)
    )

    assert repair.price >= SETTINGS.valid_term_nats


def test_names_after_a_title_or_a_greeting_and_numbers_are_left_alone() -> None:
    assert candidates("doctor head eggs", 1, 8, 12) == []
    assert candidates("hi it's head eggs", 1, 1, 8, 12) == []
    assert candidates("ten", 12) == []


def test_letters_that_are_spelled_out_are_left_alone() -> None:
    loose = RepairSettings(distance=1.0, coarse_distance=9.0, promise=-99)

    assert candidates("head e", 3, 12, settings=loose) == []
    assert candidates("head eggs", 3, 12, settings=loose) != []


def test_a_drug_that_is_named_is_put_in_question_by_known_confusions_alone() -> None:
    loose = RepairSettings(distance=1.0, coarse_distance=9.0, promise=-99)

    assert {one.kind for one in candidates("hydroxyzine", 12, settings=loose)} == {"confusable"}


def test_what_is_no_word_speaks_for_a_term_of_its_sound_and_against_any_other() -> None:
    lexicon = Lexicon(
        {
            "format": FORMAT,
            "date": "2026-01-01",
            "sources": [],
            "terms": {"salbutamol": "drug", "albuterol": "drug"},
            "suggested": ["salbutamol", "albuterol"],
            "confusable": [],
            "sounds": {},
            "commonness": {"my": 60},
        }
    )

    def prices(settings: RepairSettings) -> dict[str, float]:
        finder = CandidateFinder(lexicon, NO_LEANING, settings)
        found = finder.candidates(tokenise("my solbutamol"), np.array([1.0, 30.0]))
        return {candidate.term: candidate.price for candidate in found}

    by_ear = prices(SETTINGS)
    as_a_word = prices(SETTINGS.model_copy(update={"by_ear_distance_nats": 3.0, "by_ear_nats": 0.0}))
    assert by_ear["salbutamol"] < as_a_word["salbutamol"]
    assert by_ear["albuterol"] > as_a_word["albuterol"]


def test_a_known_confusion_that_spoils_a_dose_has_a_price() -> None:
    (alone,) = CandidateFinder(DRUGS, NO_LEANING, SETTINGS).candidates(tokenise("bisoprolol"), np.ones(1))
    words = tokenise("bisoprolol two milligrams")
    (dosed,) = CandidateFinder(DRUGS, NO_LEANING, SETTINGS).candidates(words, np.ones(3))

    assert (alone.term, alone.price, dosed.price) == ("propranolol", 0.0, SETTINGS.dose_nats)


def test_a_function_word_alone_is_not_put_in_question() -> None:
    assert candidates("so", 12) == []


def test_a_term_that_was_spoken_of_costs_less() -> None:
    finder = CandidateFinder(LEXICON, NO_LEANING, SETTINGS)
    words, surprise = tokenise("any head eggs"), np.array([1.0, 8, 12])
    lines = [Line(0, "clinician", tokenise("you said headaches"))]

    (unspoken,) = finder.candidates(words, surprise)
    (spoken,) = finder.candidates(words, surprise, lines)
    assert unspoken.price - spoken.price == pytest.approx(SETTINGS.recent_nats)


def test_what_was_said_too_long_ago_does_not_count() -> None:
    settings = RepairSettings(recent_lines=1)
    finder = CandidateFinder(LEXICON, NO_LEANING, settings)
    words, surprise = tokenise("any head eggs"), np.array([1.0, 8, 12])
    lines = [Line(at, "patient", tokenise(text)) for at, text in enumerate(("headaches", "okay"))]

    assert finder.candidates(words, surprise, lines) == finder.candidates(words, surprise)


def test_a_valid_term_that_is_known_to_be_confused_is_always_tested() -> None:
    assert read(candidates("hydroxyzine", 0.1)) == [(0, 0, "hydralazine", "confusable")]
    assert read(candidates("hypotension", 0.1)) == [(0, 0, "hypertension", "confusable")]


def test_no_line_is_worth_more_variants_than_the_settings_allow() -> None:
    settings = RepairSettings(variants=1)

    assert len(candidates("hydroxyzine hypotension", 9, 9, settings=settings)) == 1


def test_the_order_does_not_depend_on_what_was_looked_up_before() -> None:
    finder = CandidateFinder(LEXICON, NO_LEANING, SETTINGS)
    words, surprise = tokenise("any plane or head eggs"), np.array([1.0, 12, 2.5, 8, 12])

    assert finder.candidates(words, surprise) == finder.candidates(words, surprise)


def test_nothing_said_shows_in_a_repr() -> None:
    assert "headaches" not in repr(candidates("any head eggs", 1, 8, 12))
