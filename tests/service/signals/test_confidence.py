from dataclasses import replace

import numpy as np
import pytest

from models.interfaces import ModelFailure, ScoreRequest
from service.dialogue.spoken_terms import spoken_terms
from service.moment import Moment
from service.monitor_settings import ConfidenceSettings, PerplexitySettings
from service.signals.base import Ask, Finding, Signal
from service.signals.confidence import Confidence, simple_reading
from service.signals.perplexity import Perplexity
from streams.messages import Word
from tests.service.moments import finding_of, moment_of, no_commonness

SETTINGS = ConfidenceSettings()
SIGNAL = Confidence(SETTINGS, spoken_terms())


def heard(text: str, *confidences: float | None, whole: float | None = None) -> Moment:
    """A segment with a confidence for each word, of the whole, or both."""
    moment = moment_of(text)
    words = tuple(Word(word, confidence=one) for word, one in zip(text.split(), confidences, strict=False))
    return replace(moment, segment=replace(moment.segment, words=words, confidence=whole))


def measure(text: str, *confidences: float | None, whole: float | None = None) -> Finding:
    return finding_of(SIGNAL, heard(text, *confidences, whole=whole))


@pytest.mark.parametrize(
    ("nll", "unsure"),
    [
        ([1.0, 2.0, 3.0], 0),
        ([1.0, 19.0, 19.5], 2),
        ([1.0, 9.5, 2.0], 1),
        ([18.5], 1),
        ([1.0, 19.0], 1),
    ],
)
def test_the_simple_form_counts_tokens_that_are_improbable_or_fall_steeply(
    nll: list[float], unsure: int
) -> None:
    reading = simple_reading(np.array(nll, np.float32))

    assert reading.value == unsure
    assert reading.score == pytest.approx(1.0 - 0.05 * unsure)


def test_doubt_of_what_matters_weighs_more_than_doubt_of_the_rest() -> None:
    of_term = measure("then the fever went down", 0.9, 0.9, 0.4, 0.9, 0.9)
    of_other = measure("then the fever went down", 0.9, 0.9, 0.9, 0.4, 0.9)

    assert of_term.features["recogniser_doubt"] > of_other.features["recogniser_doubt"]


@pytest.mark.parametrize(
    ("text", "at"), [("i had no pain", 2), ("for fifteen days", 1), ("a bad headache", 2)]
)
def test_a_guess_at_a_negation_number_or_term_is_flagged_where_it_stands(text: str, at: int) -> None:
    confidences = [0.95] * len(text.split())
    confidences[at] = 0.3
    word = text.split()[at]

    (flag,) = measure(text, *confidences).proposals

    assert flag.type == "unsure_word"
    assert flag.span is not None
    assert text[slice(*flag.span)] == word


def test_a_guess_at_a_word_of_no_consequence_is_not_flagged() -> None:
    assert measure("well it just happened", 0.9, 0.9, 0.2, 0.9).proposals == ()


def test_the_words_in_doubt_are_the_evidence() -> None:
    evidence = measure("a bad Headache, really", 0.9, 0.9, 0.5, 0.9).readings["confidence"].evidence

    assert [one.span for one in evidence] == [(6, 14)]


def test_without_word_confidences_that_of_the_segment_counts() -> None:
    finding = measure("a bad headache", whole=0.7)

    assert finding.readings["confidence"].value == pytest.approx(0.3)
    assert finding.proposals == ()


def test_a_recogniser_that_gives_none_leaves_the_simple_form_alone() -> None:
    finding = measure("a bad headache")

    assert finding.readings["confidence"].absent == "no_confidence"
    assert finding.readings["confidence_simple"].value is not None
    assert "recogniser_doubt" not in finding.features


def test_recognised_words_that_are_not_in_the_text_are_left_out() -> None:
    moment = heard("a bad headache")
    strange = replace(moment, segment=replace(moment.segment, words=(Word("migraine", confidence=0.1),)))

    assert finding_of(SIGNAL, strange).readings["confidence"].absent == "no_confidence"


def test_a_failing_model_takes_only_the_simple_form_away() -> None:
    def fail(_: object) -> list[object]:
        raise ModelFailure("unavailable")

    finding = finding_of(SIGNAL, heard("a bad headache", whole=0.7), {"language_model": fail})

    assert finding.readings["confidence_simple"].absent == "failed"
    assert finding.readings["confidence"].value is not None


def test_it_asks_the_model_nothing_that_perplexity_does_not() -> None:
    moment = moment_of("a bad headache for two days", [("clinician", "what brings you in")])

    assert _asked(SIGNAL, moment) <= _asked(Perplexity(PerplexitySettings(), no_commonness), moment)


def _asked(signal: Signal, moment: Moment) -> set[ScoreRequest]:
    ask = next(signal.measure(moment))
    assert isinstance(ask, Ask)
    return set(ask.items)
