"""Which reading the language model prefers, and that little is asked of it."""

import re
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest

from models.interfaces import ModelFailure, ScoreRequest, TokenScores
from service.moment import Moment
from service.polarity.gains import PolarityGain, lost_negation_gain, taken_up_gain
from service.polarity.settings import PolaritySettings
from service.signals.base import Ask
from streams.messages import Speaker
from tests.service.moments import Said, moment_of

SETTINGS = PolaritySettings()
_TOKEN = re.compile(r"\S+|\n")
Gain = Callable[[Moment, PolaritySettings], Generator[Ask, Any, PolarityGain | None]]


class Preference:
    """A language model to which each word costs a nat, and the last of a phrase it dislikes so many more."""

    def __init__(self, *dislikes: str, nats: float = 0.0) -> None:
        self.requests: list[ScoreRequest] = []
        self._dislikes, self._nats = dislikes, nats

    def score(self, request: ScoreRequest) -> TokenScores:
        self.requests.append(request)
        read = (request.context + request.text).lower()
        tokens = list(_TOKEN.finditer(request.text))
        ends = [len(request.context) + token.end() for token in tokens]
        disliked = [read[:end].endswith(self._dislikes) for end in ends]
        nll = [1.0 + self._nats * one for one in disliked]
        spans = [token.span() for token in tokens]
        return TokenScores(np.array(nll, np.float32), np.array(spans, np.int32).reshape(-1, 2))


def gain_of(gain: Gain, moment: Moment, model: Preference) -> PolarityGain | None:
    asking = gain(moment, SETTINGS)
    answers: list[TokenScores] | None = None
    while True:
        try:
            ask = asking.send(answers) if answers is not None else next(asking)
        except StopIteration as stop:
            result: PolarityGain | None = stop.value
            return result
        answers = [model.score(request) for request in ask.items]


def test_the_negation_that_makes_a_line_likelier_is_put_back() -> None:
    moment = moment_of("When I was small I do know what it was", [("clinician", "What was it?")])

    gain = gain_of(lost_negation_gain, moment, Preference("i do know", nats=6.0))

    assert gain is not None
    assert gain.nats == pytest.approx(6.0)
    assert gain.reading == "don't"
    assert moment.line.spoken[gain.first].text == "do"


def test_where_nothing_is_surprising_no_negation_is_asked_for() -> None:
    model = Preference()

    assert gain_of(lost_negation_gain, moment_of("I do know what it was"), model) is None
    assert len(model.requests) == 1


@pytest.mark.parametrize("text", ["My head hurts.", "The last one, I am"])
def test_a_line_without_a_place_for_it_has_no_lost_negation(text: str) -> None:
    assert gain_of(lost_negation_gain, moment_of(text), Preference("am", nats=9.0)) is None


def test_the_next_words_speak_for_the_answer_that_was_heard() -> None:
    said: list[Said] = [("clinician", "Any skin problems?"), ("patient", "Yes.")]
    moment = moment_of("No, okay. All right.", said, speaker="clinician")

    gain = gain_of(taken_up_gain, moment, Preference("yes\ndoctor: no", "yeah\ndoctor: no", nats=4.0))

    assert gain is not None
    assert gain.nats == pytest.approx(4.0 - np.log(2.0), abs=0.01)
    assert gain.reading == "no"


def test_of_the_next_words_only_the_first_are_read() -> None:
    model = Preference()
    moment = moment_of("word " * 40, [("clinician", "Any pain?"), ("patient", "No.")], speaker="clinician")

    gain_of(taken_up_gain, moment, model)

    taken_up = {request.text.count("word") for request in model.requests if not request.extends}
    assert taken_up == {0, SETTINGS.taken_up_words}


@pytest.mark.parametrize(
    ("before", "speaker"),
    [
        ([("clinician", "Any pain?"), ("patient", "No, but my back is sore.")], "clinician"),
        ([("clinician", "Any pain?"), ("patient", "No.")], "patient"),
        ([("patient", "Can I eat?"), ("clinician", "Yes.")], "patient"),
        ([], "clinician"),
    ],
)
def test_only_another_speakers_words_after_a_bare_answer_take_it_up(
    before: list[Said], speaker: Speaker
) -> None:
    assert gain_of(taken_up_gain, moment_of("Okay then.", before, speaker=speaker), Preference()) is None


def test_without_an_answer_of_the_model_there_is_none() -> None:
    asking = lost_negation_gain(moment_of("I do know."), SETTINGS)
    next(asking)

    with pytest.raises(ModelFailure):
        asking.throw(ModelFailure("unavailable"))


def test_readings_are_scored_from_where_they_part() -> None:
    model = Preference("i do know", nats=6.0)

    gain_of(lost_negation_gain, moment_of("I do know " + "word " * 30), model)

    assert all(request.text.count("word") < 30 for request in model.requests if not request.extends)
