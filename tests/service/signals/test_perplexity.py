import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from models.interfaces import ScoreRequest, TokenScores
from service.monitor_settings import PerplexitySettings
from service.rounds import Answerer
from service.signals.base import Finding, ModelName
from service.signals.perplexity import Perplexity, least_gain, simple_reading
from tests.service.moments import Said, finding_of, moment_of

SETTINGS = PerplexitySettings(flag_peak=10.0, evidence_nats=9.0, flag_tokens=4)
COMMONNESS: Mapping[str, float] = {"no": 90.0, "pain": 70.0}
QUESTION: Said = ("clinician", "Any fever?")


def measure(
    text: str, costs: Mapping[str, float], end: float = 0.5, before: Sequence[Said] = (QUESTION,)
) -> tuple[Finding, list[ScoreRequest]]:
    """Measures `text` with a model for which a word costs what `costs` says (1 nat by default)."""
    asked: list[ScoreRequest] = []

    def score(requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        asked.extend(requests)
        return [_scores(request.text, costs, end) for request in requests]

    answerers: Mapping[ModelName, Answerer] = {"language_model": score}
    return finding_of(Perplexity(SETTINGS, COMMONNESS.get), moment_of(text, before), answerers), asked


def _scores(text: str, costs: Mapping[str, float], end: float) -> TokenScores:
    words = text.split()
    starts = np.cumsum([1, *(len(word) + 1 for word in words)])
    spans = [[start, start + len(word)] for start, word in zip(starts, words, strict=False)]
    nll = [costs.get(word, 1.0) for word in words]
    return TokenScores(np.array([*nll, end], np.float32), np.array([*spans, [len(text)] * 2], np.int32))


def test_the_segment_is_scored_after_its_dialogue_and_alone() -> None:
    _, asked = measure("No, um, not really.", {})

    assert [(request.context, request.text) for request in asked] == [
        ("", " no not really\n"),
        ("Doctor: any fever\nPatient:", " no not really\n"),
    ]
    assert asked[1].stream == "call"


def test_the_peak_is_the_mean_of_the_three_most_improbable_tokens() -> None:
    finding, _ = measure("one two three four", {"two": 8.0, "four": 6.0})

    assert finding.readings["perplexity"].value == pytest.approx((8 + 6 + 1) / 3)
    assert finding.features["end_nll"] == pytest.approx(0.5)


def test_improbable_words_are_evidence_where_they_were_written() -> None:
    finding, _ = measure("Well, I take my BREAK daily.", {"break": 12.0})

    (evidence,) = finding.readings["perplexity"].evidence
    assert (evidence.span, evidence.value) == ((16, 21), 12.0)


def test_a_high_peak_is_flagged_at_its_worst_word() -> None:
    costs = {"no": 11.0, "jade": 14.0, "is": 9.5}
    finding, _ = measure("the no jade is back", costs, before=[QUESTION, QUESTION])

    assert not measure("the no jade is back", costs)[0].proposals
    assert [(one.type, one.span) for one in finding.proposals] == [("improbable_words", (7, 11))]


def test_a_short_answer_is_not_flagged() -> None:
    finding, _ = measure("jade", {"jade": 14.0})

    assert finding.proposals == ()


@pytest.mark.parametrize("text", ["", "...", "um, uh"])
def test_without_words_the_signal_is_absent(text: str) -> None:
    finding, asked = measure(text, {})

    assert {reading.absent for reading in finding.readings.values()} == {"no_words"}
    assert asked == []


@pytest.mark.parametrize(
    ("perplexity", "score"), [(1.0, 1.0), (20.0, 1.0), (110.0, 0.5), (200.0, 0.0), (900.0, 0.0)]
)
def test_the_simple_form_is_the_published_one(perplexity: float, score: float) -> None:
    reading = simple_reading(np.full(4, np.log(perplexity), np.float32))

    assert reading.value == pytest.approx(perplexity, rel=1e-4)
    assert reading.score == pytest.approx(score, abs=1e-4)


def test_the_least_gain_is_of_the_words_that_the_dialogue_helps_least() -> None:
    gains = np.array([4.0, -1.0, 2.0, 0.5, 3.0])

    assert least_gain(gains) == pytest.approx((-1.0 + 0.5 + 2.0) / 3)
    assert least_gain(gains[:2]) == pytest.approx(1.5)


def test_the_first_words_of_a_call_have_no_dialogue_to_gain_from() -> None:
    finding, _ = measure("the pain got worse", {"pain": 5.0}, before=[QUESTION])

    assert "least_context_gain" not in finding.features


def test_a_model_to_which_the_dialogue_says_nothing_sees_no_gain() -> None:
    finding, _ = measure("the pain got worse", {"pain": 5.0}, before=[QUESTION, QUESTION])

    assert finding.features["context_gain"] == 0.0
    assert finding.features["least_context_gain"] == 0.0


def test_a_common_word_is_more_surprising_beyond_its_commonness_than_a_rare_one() -> None:
    common, rare = measure("no", {"no": 6.0})[0], measure("pain", {"pain": 6.0})[0]

    difference = common.features["surprise_beyond_commonness"] - rare.features["surprise_beyond_commonness"]
    assert difference == pytest.approx(2 * math.log(10))
