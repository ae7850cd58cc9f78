"""What is doubted becomes features, and a flag where it is plain."""

from collections.abc import Sequence

import pytest

from models.fakes import FakeLanguageModel
from models.interfaces import ModelFailure, ScoreRequest, TokenScores
from service.dialogue.spoken_terms import spoken_terms
from service.monitor_settings import ContradictionSettings
from service.signals.base import Finding
from service.signals.contradiction import Contradiction
from tests.service.moments import FAKE_ANSWERERS, Said, finding_of, moment_of
from tests.service.polarity.test_gains import Preference

FEATURES = ("lost_negation_gain", "opposite_taken_up_gain")
SIGNAL = Contradiction(ContradictionSettings(), spoken_terms())
ASKED: list[Said] = [("clinician", "Any skin problems?")]


def found(text: str, before: Sequence[Said], model: Preference, *, by_staff: bool = False) -> Finding:
    moment = moment_of(text, before, speaker="clinician" if by_staff else "patient")
    return finding_of(
        SIGNAL,
        moment,
        {**FAKE_ANSWERERS, "language_model": lambda asked: [model.score(one) for one in asked]},
    )


def test_a_lost_negation_is_flagged_where_it_stood() -> None:
    finding = found("But I do know what it was", ASKED, Preference("i do know", nats=9.0))

    (proposal,) = finding.proposals
    assert (proposal.type, proposal.reason, proposal.severity) == (
        "lost_words",
        "negation_fits_better",
        "high",
    )
    assert proposal.span == (6, 8)
    assert finding.features["lost_negation_gain"] == pytest.approx(9.0)


def test_an_answer_taken_up_otherwise_is_flagged_and_points_back() -> None:
    finding = found(
        "No, okay.",
        [*ASKED, ("patient", "Yes.")],
        Preference("yes\ndoctor: no", "yeah\ndoctor: no", nats=9.0),
        by_staff=True,
    )

    (proposal,) = [one for one in finding.proposals if one.reason == "answer_taken_up_otherwise"]
    assert [related.sequence for related in proposal.related] == [1]
    assert proposal.severity == "high"


def test_a_plain_line_is_not_doubted() -> None:
    finding = found("No, I have never had any.", ASKED, Preference())

    assert finding.proposals == ()
    assert finding.features["lost_negation_gain"] == 0.0


def test_without_a_language_model_nothing_is_doubted() -> None:
    def failing(_: Sequence[ScoreRequest]) -> list[TokenScores]:
        raise ModelFailure("unavailable")

    finding = finding_of(
        SIGNAL, moment_of("I do know.", ASKED), {**FAKE_ANSWERERS, "language_model": failing}
    )

    assert not set(FEATURES) & set(finding.features)
    assert finding.readings["contradiction"].score == 1.0


def test_a_line_without_words_is_not_asked_about() -> None:
    finding = finding_of(SIGNAL, moment_of("um", ASKED), FAKE_ANSWERERS)

    assert not set(FEATURES) & set(finding.features)


def test_every_gain_is_a_feature() -> None:
    finding = finding_of(
        SIGNAL, moment_of("No.", ASKED), {**FAKE_ANSWERERS, "language_model": FakeLanguageModel().score}
    )

    assert set(FEATURES) <= set(finding.features)
