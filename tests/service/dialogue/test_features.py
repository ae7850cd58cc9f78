"""What the dialogue tells the risk model of a line."""

from service.dialogue.features import features_of
from service.dialogue.reading import read_line
from tests.service.dialogue.calls import MATCHER, bare, lines_of


def features(*said: str) -> dict[str, float]:
    *before, line = lines_of(*said)
    return features_of(read_line(line, before, MATCHER))


def test_an_answer_to_a_clinical_question_has_much_at_stake() -> None:
    found = features("C: Any allergies?", "P: Not that I know of.")

    assert found["answers_question"] == found["asked_clinical"] == found["answers_no"] == 1.0
    assert found["asked_administrative"] == 0.0
    assert found["at_stake"] == 1.0


def test_a_name_has_nothing_at_stake() -> None:
    found = features("C: Can I take your full name?", "P: Ada Marlow.")

    assert found["asked_administrative"] == 1.0
    assert found["at_stake"] == 0.0


def test_nothing_is_at_stake_where_nothing_is_asked() -> None:
    assert "at_stake" not in features("C: We will do a blood test.", "P: Thank you.")


def test_a_bare_yes_to_any_is_noticed() -> None:
    assert features("C: Any chest pain?", "P: Yes.")["bare_against_preference"] == 1.0
    assert features("C: Any chest pain?", "P: No.")["bare_against_preference"] == 0.0


def test_negations_and_clinical_terms_are_counted() -> None:
    found = features("P: No fever and no cough, but I don't feel well.")

    assert found["negations"] == 3.0
    assert found["clinical_terms"] == 2.0


def test_formatted_and_bare_lines_have_the_same_features() -> None:
    said = ("C: Have you had any fever, or a cough?", "P: No. Just a headache, for 3 days.")

    assert features(*said) == features(*bare(said))
