"""Which lines ask, what they ask for, and which question a line answers."""

import pytest

from service.dialogue.question_kinds import AT_STAKE
from service.dialogue.questions import answered_questions, read_questions
from tests.service.dialogue.calls import MATCHER, bare, lines_of

QUESTIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "Can I take your full name, please?": ("request", "administrative", ()),
    "And your date of birth?": ("statement", "administrative", ()),
    "Hello, can you hear me?": ("yes_no", "administrative", ()),
    "Sorry, could you repeat that?": ("yes_no", "repair", ()),
    "How are you today?": ("wh", "small_talk", ()),
    "How can I help you today?": ("wh", "open", ()),
    "Can you tell me a bit more about the headache?": ("request", "open", ("headache",)),
    "Any fever?": ("yes_no", "symptom", ("fever",)),
    "OK. Any nausea or vomiting?": ("yes_no", "symptom", ("nausea", "vomiting")),
    "Have you noticed any swelling in your ankles?": ("yes_no", "symptom", ("ankle swelling",)),
    "Are you eating and drinking OK?": ("yes_no", "symptom", ()),
    "When did it start?": ("wh", "onset", ()),
    "How long have you had the cough?": ("wh", "duration", ("cough",)),
    "And how often do you go to the toilet?": ("wh", "frequency", ()),
    "Is that the right or the left side?": ("choice", "side", ()),
    "Whereabouts is the pain?": ("wh", "location", ("pain",)),
    "On a scale of one to ten, how bad is the pain?": ("wh", "severity", ("pain",)),
    "Can you describe the pain?": ("request", "character", ("pain",)),
    "Do you take any regular medication?": ("yes_no", "drug", ("medication",)),
    "What dose do you take?": ("wh", "dose", ()),
    "Are you allergic to anything?": ("yes_no", "allergy", ("allergy",)),
    "Have you had anything like this before?": ("yes_no", "history", ()),
    "Is there any asthma in the family?": ("yes_no", "family", ("asthma",)),
    "Do you smoke at all?": ("yes_no", "habit", ("smoking",)),
    "Right. Who lives at home with you?": ("wh", "social", ()),
    "OK. Anything on your face at all?": ("yes_no", "other", ()),
    "No. Has it been quite stressful recently?": ("yes_no", "social", ()),
    "Is it above or below your belly button?": ("choice", "location", ()),
    "And what do you do for work?": ("wh", "social", ()),
    "Do you have any questions for me?": ("yes_no", "closing", ()),
    "So you've had no fever.": ("statement", "symptom", ("fever",)),
    "You're not bringing up any phlegm, are you?": ("statement", "symptom", ("phlegm",)),
}
NO_QUESTIONS = (
    "I've had a headache for a few days.",
    "When I lie down it gets worse.",
    "I don't know what it is.",
    "That's what I thought.",
    "I haven't had any fever.",
    "I'd like you to come back if you have any vomiting.",
    "You know, it just came on.",
    "OK, right, I see.",
    "So straight away take the tablets, all right.",
    "We'll get your blood tested, and then you can call us.",
)


@pytest.mark.parametrize(("text", "expected"), QUESTIONS.items())
def test_a_question_is_read_with_its_form_kind_and_subjects(text: str, expected: object) -> None:
    *_, question = read_questions(lines_of(f"C: {text}")[0], MATCHER)

    assert (question.form, question.kind, question.subjects) == expected


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_is_read_without_its_punctuation(text: str) -> None:
    (formatted,), (plain,) = lines_of(f"C: {text}"), lines_of(*bare([f"C: {text}"]))

    assert read_questions(plain, MATCHER) == read_questions(formatted, MATCHER)


@pytest.mark.parametrize("text", NO_QUESTIONS)
def test_a_statement_asks_nothing(text: str) -> None:
    assert read_questions(lines_of(f"P: {text}")[0], MATCHER) == ()


def test_several_questions_of_a_line_are_read_in_order() -> None:
    (line,) = lines_of("C: Do you smoke at all? And do you drink much in the way of alcohol?")

    assert [question.subjects for question in read_questions(line, MATCHER)] == [("smoking",), ("alcohol",)]


def test_a_negative_question_is_known_as_such() -> None:
    (line,) = lines_of("C: So you've not had any fever?")
    (question,) = read_questions(line, MATCHER)

    assert question.negative


def test_an_answer_finds_its_question_through_acknowledgements() -> None:
    *before, line = lines_of("C: Any fever?", "P: Um", "C: Mm-hmm.", "P: Yes, since Monday.")
    (question,) = answered_questions(line, before, MATCHER)

    assert question.sequence == 0


def test_an_answer_after_a_repair_belongs_to_the_question_before_it() -> None:
    *before, line = lines_of(
        "C: Do you have any allergies?",
        "P: I have a fever.",
        "C: Sorry, could you repeat that?",
        "P: Hay fever.",
    )
    (question,) = answered_questions(line, before, MATCHER)

    assert question.kind == "allergy"


def test_what_follows_a_statement_answers_nothing() -> None:
    *before, line = lines_of("C: Any fever?", "P: No.", "C: We will do a blood test.", "P: That sounds good.")

    assert answered_questions(line, before, MATCHER) == ()


def test_only_the_last_few_lines_are_searched() -> None:
    *before, line = lines_of("C: Any fever?", *["P: Um"] * 6, "P: No.")

    assert not answered_questions(line, before, MATCHER, look_back=6)
    assert answered_questions(line, before, MATCHER, look_back=7)


def test_a_patients_own_question_is_answered_by_the_clinician() -> None:
    *before, line = lines_of("P: Should I take the tablets with food?", "C: Yes.")
    (question,) = answered_questions(line, before, MATCHER)

    assert question.kind == "drug"


def test_what_is_at_stake_is_least_for_names_and_most_for_allergies_and_doses() -> None:
    assert all(0.0 <= weight <= 1.0 for weight in AT_STAKE.values())
    assert AT_STAKE["administrative"] == AT_STAKE["small_talk"] == 0.0
    assert AT_STAKE["allergy"] == AT_STAKE["dose"] == 1.0
    assert AT_STAKE["social"] < AT_STAKE["onset"] < AT_STAKE["symptom"]
