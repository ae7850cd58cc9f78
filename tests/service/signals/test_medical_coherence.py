import pytest

from models.lexicon import Lexicon
from models.lexicon.lexicon import FORMAT
from service.signals.base import Finding
from service.signals.medical_coherence import MedicalCoherence
from tests.service.moments import Said, finding_of, moment_of

TERMS = {"metformin": "drug", "salbutamol": "drug", "asthma": "condition", "diabetes": "condition"}
LEXICON = Lexicon(
    {
        "format": FORMAT,
        "date": "2026-01-01",
        "sources": [],
        "terms": TERMS,
        "suggested": [],
        "confusable": [],
        "sounds": {},
        "commonness": {},
    }
)


def measure(text: str, *before: Said) -> Finding:
    return finding_of(MedicalCoherence(LEXICON), moment_of(text, before))


def test_a_dose_that_nobody_takes_is_a_high_flag_on_its_words() -> None:
    finding = measure("I take metformin, 5000 mg.")

    (proposal,) = finding.proposals
    assert (proposal.type, proposal.severity, proposal.reason) == (
        "implausible_dose",
        "high",
        "dose_too_high",
    )
    assert proposal.span == (18, 25)
    assert finding.readings["medical_coherence"].score == 0.0


def test_bare_and_formatted_text_give_the_same_reading() -> None:
    formatted, bare = measure("Metformin, 5000 mg."), measure("metformin five thousand milligrams")

    assert formatted.features == bare.features == {"implausible_doses": 1.0}


def test_the_answer_to_a_question_about_a_drug_is_of_that_drug() -> None:
    finding = measure("five thousand milligrams", ("clinician", "How much metformin do you take?"))

    assert [proposal.subject for proposal in finding.proposals] == ["metformin"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i take metformin for my diabetes", 1.0),
        ("i take metformin for my asthma", 0.0),
        ("metformin and salbutamol for diabetes and asthma", 0.5),
    ],
)
def test_the_simple_form_is_the_share_of_pairs_that_belong_together(text: str, value: float) -> None:
    assert measure(text).readings["medical_coherence_simple"].value == value


def test_without_pairs_the_simple_form_is_absent() -> None:
    assert measure("i take metformin").readings["medical_coherence_simple"].absent == "no_pairs"
    assert measure("um").readings["medical_coherence"].absent == "no_words"
