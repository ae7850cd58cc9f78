import re
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from models.interfaces import ScoreRequest, TokenScores
from service.monitor_settings import PerplexitySettings
from service.repair.consultation_words import ConsultationWords
from service.repair.settings import RepairSettings
from service.signals.base import Finding
from service.signals.entity_validity import EntityValidity
from service.signals.perplexity import Perplexity
from tests.service.moments import finding_of, moment_of, no_commonness
from tests.service.repair.small_lexicon import LEXICON

IMPROBABLE = {"head": 8.0, "eggs": 12.0, "plane": 12.0, "hypotension": 9.0, "hydroxyzine": 9.0}
NO_LEANING = ConsultationWords({}, 0, {})


class WordByWord:
    """Scores each word by a table, 1 nat where it has none, and keeps what it was asked."""

    def __init__(self, surprise: Mapping[str, float]) -> None:
        self._surprise = surprise
        self.asked: list[ScoreRequest] = []

    def __call__(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        self.asked.extend(requests)
        return [self._score(request.text) for request in requests]

    def _score(self, text: str) -> TokenScores:
        tokens = list(re.finditer(r"\S+|\n", text))
        nll = [self._surprise.get(token.group(), 1.0) for token in tokens]
        spans = [token.span() for token in tokens]
        return TokenScores(np.array(nll, dtype=np.float32), np.array(spans, dtype=np.int32))


def measure(text: str, model: WordByWord | None = None) -> Finding:
    moment = moment_of(text, [("clinician", "What brings you in?")])
    answer = model or WordByWord(IMPROBABLE)
    return finding_of(
        EntityValidity(LEXICON, RepairSettings(), NO_LEANING), moment, {"language_model": answer}
    )


def test_words_that_sound_like_a_term_that_fits_better_are_flagged_with_it() -> None:
    finding = measure("Any head eggs?")

    (proposal,) = finding.proposals
    assert (proposal.type, proposal.severity, proposal.suggestion) == ("misheard_term", "medium", "headaches")
    assert proposal.span == (4, 13)
    assert proposal.reason == "sounds_like_expected_term"
    assert finding.features["repair_gain"] > 0
    assert finding.readings["entity_validity"].value == pytest.approx(finding.features["repair_gain"])
    assert finding.readings["entity_validity"].score == 0.0


def test_bare_and_formatted_text_give_the_same_proposal() -> None:
    bare, formatted = measure("any head eggs so"), measure("Any head eggs? So...")

    assert bare.proposals == formatted.proposals
    assert bare.features == formatted.features


def test_a_drug_that_sounds_like_a_more_probable_one_is_critical() -> None:
    (proposal,) = measure("Hydroxyzine.").proposals

    assert (proposal.type, proposal.severity, proposal.suggestion) == (
        "sound_alike_drug",
        "critical",
        "hydralazine",
    )


def test_an_opposite_that_fits_better_is_a_misheard_term() -> None:
    (proposal,) = measure("Hypotension.").proposals

    assert (proposal.type, proposal.severity, proposal.suggestion) == (
        "misheard_term",
        "medium",
        "hypertension",
    )


def test_expected_words_cost_no_more_than_what_perplexity_asks_anyway() -> None:
    model, perplexity_model = WordByWord({}), WordByWord({})
    finding = measure("the pain", model)
    moment = moment_of("the pain", [("clinician", "What brings you in?")])
    finding_of(Perplexity(PerplexitySettings(), no_commonness), moment, {"language_model": perplexity_model})

    assert len(model.asked) == 1
    assert set(model.asked) <= set(perplexity_model.asked)
    assert finding.proposals == ()
    assert finding.readings["entity_validity"].score == 1.0


def test_variants_are_asked_in_the_same_context_and_thrown_away() -> None:
    model = WordByWord(IMPROBABLE)
    measure("any head eggs", model)

    base, *variants = model.asked
    assert [request.text for request in variants] == [" headaches", " headaches\n"]
    assert {request.context for request in variants} == {base.context + " any"}
    assert not any(request.extends for request in variants)


def test_a_term_that_fits_far_worse_than_the_words_is_not_compared_further() -> None:
    model = WordByWord({**IMPROBABLE, "headaches": 40.0})
    finding = measure("any head eggs today", model)

    assert [request.text for request in model.asked[1:]] == [" headaches"]
    assert finding.proposals == ()
    assert finding.features["repair_gain"] == 0.0


def test_the_simple_form_is_the_share_of_known_terms() -> None:
    reading = measure("pain and zorbicillin").readings["entity_validity_simple"]

    assert (reading.value, reading.score) == (0.5, 0.5)
    assert [(one.span, one.reason) for one in reading.evidence] == [((9, 20), "unknown_medical_word")]
    assert measure("the test").readings["entity_validity_simple"].absent == "no_entities"


def test_an_answer_that_says_who_somebody_is_is_not_repaired() -> None:
    moment = moment_of("head eggs", [("clinician", "Can you confirm your full name please?")])
    finding = finding_of(
        EntityValidity(LEXICON, RepairSettings(), NO_LEANING),
        moment,
        {"language_model": WordByWord(IMPROBABLE)},
    )

    assert finding.proposals == ()
    assert finding.features["repair_gain"] == 0.0


def test_without_words_it_is_absent() -> None:
    assert measure("um").readings["entity_validity"].absent == "no_words"
