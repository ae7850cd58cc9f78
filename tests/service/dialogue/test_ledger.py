"""What the ledger of a call takes for a contradiction, and what it does not."""

import sys
from types import FrameType

import pytest

from service.dialogue.ledger import AssertionLedger, LedgerSettings
from tests.service.dialogue.calls import MATCHER, bare, conflicts_of, kinds_of, lines_of

CONTRADICTIONS: dict[str, tuple[tuple[str, ...], tuple[int, str, str]]] = {
    "a symptom denied and then affirmed": (
        (
            "C: Any fever?",
            "P: No.",
            "C: OK. And how is your appetite?",
            "P: Not great, with the fever I have.",
        ),
        (3, "negation_conflict", "fever"),
    ),
    "a symptom told and then denied": (
        ("P: I've got this cough and it hurts.", "C: Right. Have you had a cough?", "P: No."),
        (2, "answer_conflict", "cough"),
    ),
    "a condition affirmed against an earlier denial": (
        ("C: Have you got asthma?", "P: No, never had asthma.", "C: OK.", "P: I have asthma, you see."),
        (3, "negation_conflict", "asthma"),
    ),
    "an allergy after none": (
        ("C: Do you have any allergies?", "P: No.", "C: Good.", "P: I'm allergic to penicillin."),
        (3, "negation_conflict", "allergy"),
    ),
    "a yes whose sentence says no": (
        ("C: Any chest pain?", "P: Yes, no chest pain."),
        (1, "answer_conflict", "chest pain"),
    ),
    "a no whose sentence says yes": (
        ("C: Do you smoke at all?", "P: No, I smoke about ten a day."),
        (1, "answer_conflict", "smoking"),
    ),
    "a no before a short yes": (
        ("C: Have you ever been in hospital with it?", "P: No, I have."),
        (1, "answer_conflict", "history"),
    ),
    "the clinician takes a yes for a no": (
        ("C: Have you had any vomiting?", "P: Yes.", "C: No, OK. Any diarrhoea?"),
        (2, "read_back_conflict", "vomiting"),
    ),
    "the clinician sums up a fever that was denied": (
        (
            "C: Any fever?",
            "P: No.",
            "C: Do you work?",
            "P: I'm a baker.",
            "C: So you've had a fever and a cough.",
        ),
        (4, "read_back_conflict", "fever"),
    ),
    "the clinician sums up no fever where one was told": (
        ("P: I've had a fever since Monday.", "C: Right.", "C: So you've had no fever. Any cough?"),
        (2, "read_back_conflict", "fever"),
    ),
    "another number of days read back": (
        ("C: How long has it been going on?", "P: About 14 days.", "C: 40 days, OK."),
        (2, "number_conflict", "day time"),
    ),
    "another length of time summed up": (
        (
            "C: When did it start?",
            "P: 3 days ago.",
            "C: Any cough?",
            "P: No.",
            "C: So for the last 13 days you've been ill.",
        ),
        (4, "number_conflict", "day time"),
    ),
    "another dose of the same drug read back": (
        ("C: What dose do you take?", "P: 15 milligrams.", "C: 50 milligrams, OK."),
        (2, "number_conflict", "milligram dose"),
    ),
    "another frequency read back": (
        ("C: How often do you take it?", "P: Twice a day.", "C: Three times a day, right."),
        (2, "number_conflict", "day frequency"),
    ),
    "another side of the patient's knee": (
        ("P: It's my left knee that hurts.", "C: I see.", "P: When I kneel my right knee clicks."),
        (2, "side_conflict", "knee side"),
    ),
    "another side read back": (
        ("P: There's a rash on my left arm.", "C: You mentioned a rash on your right arm."),
        (1, "side_conflict", "arm side"),
    ),
    "a follow-up that presupposes a yes": (
        ("C: Do you smoke?", "P: No.", "C: And how many do you smoke a day?"),
        (2, "presupposition_conflict", "smoking"),
    ),
    "the clinician takes a no for a yes": (
        ("C: Have you had any vomiting?", "P: No.", "C: Yeah, OK. Any diarrhoea?"),
        (2, "read_back_conflict", "vomiting"),
    ),
    "a drug taken up as another that looks like it": (
        ("C: What do you take?", "P: Hydroxyzine.", "C: Hydralazine, OK."),
        (2, "drug_conflict", "hydralazine"),
    ),
    "a denial without its not": (
        ("C: OK. And allergies?", "P: So I have any allergies that I know of."),
        (1, "lost_negation", "any"),
    ),
}

AGREEMENTS: dict[str, tuple[str, ...]] = {
    "a question after a denial": ("C: Any fever?", "P: No.", "C: No, OK. And definitely no fever?"),
    "the clinician takes a no for a no": ("C: Any fever?", "P: No.", "C: No, OK. Any cough?"),
    "a correction of one's own": (
        "C: Is it the left or the right?",
        "P: It's my left knee.",
        "P: No sorry, I meant my right knee.",
    ),
    "an answer taken back": ("C: Any vomiting?", "P: No.", "P: Actually I was vomiting, sorry, I forgot."),
    "a symptom that went away": ("P: I have a headache.", "C: Still?", "P: The headache has gone now."),
    "a symptom that came": ("C: Any cough?", "P: No.", "C: OK.", "P: I've started to cough just now."),
    "a relative's condition": (
        "C: Do you have asthma?",
        "P: No.",
        "C: And the family?",
        "P: My mother has asthma.",
    ),
    "a condition of childhood": ("C: Do you have asthma?", "P: No.", "P: When I was a child I had asthma."),
    "advice": ("C: Any fever?", "P: No.", "C: If you get a fever, come back and see us."),
    "what is only feared": ("C: Any cancer in the past?", "P: No.", "P: I'm worried it might be cancer."),
    "pain in another place": ("C: Any pain in your chest?", "P: No.", "P: I've got a pain in my back."),
    "other allergies": (
        "C: Any allergies?",
        "P: I'm allergic to penicillin.",
        "C: Any other allergies?",
        "P: No.",
        "C: Food allergies?",
        "P: No.",
    ),
    "a question about the cough, not whether there is one": (
        "P: I have a cough.",
        "C: Are you bringing anything up with the cough?",
        "P: No.",
    ),
    "both sides": ("P: My left knee hurts.", "P: And my right knee hurts as well, both of them."),
    "right as in okay": ("P: It's my left knee.", "C: Right. Knee pain can be a nuisance."),
    "a range that holds the number": ("C: How long?", "P: Three or four days.", "C: Four days, OK."),
    "a vague number near the exact one": ("C: How long?", "P: A few days.", "C: Four days, OK."),
    "numbers of different units": ("C: How long?", "P: Two weeks.", "C: Ten days, OK."),
    "an agreed denial": ("C: So you've had no fever?", "P: Yeah, no fever."),
    "yeah no": ("C: Any fever?", "P: Yeah no."),
    "a limited no": ("C: Do you smoke?", "P: No, just the odd cigarette."),
    "no thanks": ("C: Do you have any questions?", "P: No, that's fine.", "C: Yeah? OK, take care."),
    "no problem": ("C: Can you hear me?", "P: Yes.", "C: No problem. What's your name?"),
    "any that is a choice": ("P: I'd take any help I can get, I have any time you like.",),
    "a drug taken up by its other name": ("C: What do you take?", "P: Ventolin.", "C: Salbutamol, OK."),
    "a follow-up about something else": (
        "C: Any fever?",
        "P: No.",
        "C: And how long have you had the cough?",
    ),
    "a new prescription": ("C: How often?", "P: Once a day.", "C: Let's increase that to twice a day."),
}


@pytest.mark.parametrize(("said", "expected"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_shows_where_it_comes_to_light(
    said: tuple[str, ...], expected: tuple[int, str, str]
) -> None:
    assert kinds_of(*said) == [expected]


@pytest.mark.parametrize(("said", "expected"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_bare_text_gives_the_same_conflicts(said: tuple[str, ...], expected: tuple[int, str, str]) -> None:
    assert kinds_of(*bare(said)) == [expected]


@pytest.mark.parametrize("said", AGREEMENTS.values(), ids=AGREEMENTS)
def test_what_can_be_true_together_is_no_conflict(said: tuple[str, ...]) -> None:
    assert kinds_of(*said) == []
    assert kinds_of(*bare(said)) == []


def test_a_conflict_points_back_to_the_words_it_contradicts() -> None:
    said = ("C: Any fever?", "P: No, no fever.", "C: OK.", "P: Well, I have a fever, you see.")
    (conflict,) = conflicts_of(*said)[3]

    assert conflict.span is not None
    assert said[3][3:][slice(*conflict.span)] == "fever"
    assert conflict.earlier is not None
    assert conflict.earlier.sequence == 1
    assert conflict.earlier.span is not None
    assert said[1][3:][slice(*conflict.earlier.span)] == "fever"


def test_a_flipped_negation_is_severe_and_a_side_less_so() -> None:
    (negation,) = conflicts_of("C: Any fever?", "P: No.", "P: I have a fever.")[2]
    (side,) = conflicts_of("P: My left knee hurts.", "P: My right knee hurts.")[1]

    assert (negation.severity, side.severity) == ("high", "medium")


def test_what_the_words_alone_prove_needs_no_classifier() -> None:
    (number,) = conflicts_of("C: How long?", "P: 14 days.", "C: 40 days, OK.")[2]
    (negation,) = conflicts_of("C: Any fever?", "P: No.", "P: I have a fever.")[2]

    assert not number.confirm
    assert negation.confirm
    assert (negation.premise, negation.hypothesis) == ("i do not have fever", "i have a fever")


def test_after_a_contradiction_the_newest_statement_counts() -> None:
    said = ("C: Any fever?", "P: No.", "P: I have a fever.", "P: Yes a fever it is, I have a fever.")

    assert [sequence for sequence, *_ in kinds_of(*said)] == [2]


def test_staff_alone_contradict_nobody() -> None:
    assert kinds_of("C: So you've had a fever.", "A: So you've had no fever.") == []


def test_an_empty_line_says_nothing() -> None:
    assert kinds_of("P: ", "P: um", "C: ...") == []


def test_a_ledger_forgets_the_oldest_first() -> None:
    ledger = AssertionLedger(MATCHER, LedgerSettings(remembered=2))
    lines = lines_of("P: I have a fever.", "P: I have a cough.", "P: I have a rash.", "P: I have no fever.")

    assert [ledger.compare(ledger.read(line, lines[:at]), lines[:at]) for at, line in enumerate(lines)] == [
        (),
        (),
        (),
        (),
    ]


def test_bounds_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        LedgerSettings(remembered=0)


def test_a_line_costs_the_same_late_in_a_call_as_early() -> None:
    ledger = AssertionLedger(MATCHER)
    lines = lines_of(*["C: Any fever or cough or rash?", "P: No, but I have a headache for 3 days."] * 600)

    def calls(first: int, last: int) -> int:
        """Python and built-in calls that these lines take: work counted, not timed."""
        counted = 0

        def count(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal counted
            counted += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            for at in range(first, last):
                before = lines[max(at - 40, 0) : at]
                ledger.compare(ledger.read(lines[at], before), before)
        finally:
            sys.setprofile(None)
        return counted

    calls(0, 300)
    early, late = calls(300, 600), calls(900, 1200)
    assert late < 1.01 * early
    assert early < 300 * 1000
