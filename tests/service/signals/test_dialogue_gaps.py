from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from models.interfaces import ModelFailure, ScoreRequest, TokenScores
from service.dialogue.lines import Line
from service.dialogue.reading import read_line
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.tokens import tokenise
from service.moment import Moment
from service.monitor_settings import GapSettings
from service.signals.base import Finding
from service.signals.dialogue_gaps import DialogueGaps
from streams.messages import Related, Segment, Speaker
from tests.service.moments import finding_of, moment_of

SETTINGS = GapSettings()
Timed = tuple[Speaker, str, float, float]


def moment(new: Timed, *before: Timed) -> Moment:
    lines = tuple(
        Line(at, speaker, tokenise(text), start, end) for at, (speaker, text, start, end) in enumerate(before)
    )
    speaker, text, start, end = new
    line = Line(len(lines), speaker, tokenise(text), start, end)
    return replace(
        moment_of(text, speaker=speaker),
        segment=Segment(
            call_id="call", sequence=len(lines), speaker=speaker, text=text, start=start, end=end
        ),
        line=line,
        context=lines,
        history=lines,
        reading=read_line(line, lines, spoken_terms()),
    )


class EndsAt:
    """A language model to which every line's end is equally improbable."""

    def __init__(self, nats: float) -> None:
        self.nats = nats
        self.asked: list[ScoreRequest] = []

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        self.asked.extend(requests)
        return [
            TokenScores(
                np.array([1.0, self.nats], np.float32),
                np.array([[1, len(request.text) - 1], [len(request.text) - 1, len(request.text)]], np.int32),
            )
            for request in requests
        ]


def measure(new: Timed, *before: Timed, end_nll: float = 1.0) -> Finding:
    model = EndsAt(end_nll)
    return finding_of(
        DialogueGaps(SETTINGS, spoken_terms()), moment(new, *before), {"language_model": model.score}
    )


def flags(finding: Finding) -> list[tuple[str, str]]:
    return [(one.type, one.reason) for one in finding.proposals]


def test_speech_without_a_word_is_lost() -> None:
    finding = measure(("patient", "", 4.0, 7.0), ("clinician", "I see", 2.0, 3.5))

    assert flags(finding) == [("lost_speech", "speech_without_text")]
    assert finding.features["gap"] > 0
    assert finding.features["speech_without_words"] == 1
    assert finding.features["lost_answer"] == 0


@pytest.mark.parametrize(
    ("asked", "severity"), [("any fever", "medium"), ("any allergies to medicines", "high")]
)
def test_the_shortest_answer_that_came_without_a_word_leaves_its_question_open(
    asked: str, severity: str
) -> None:
    finding = measure(("patient", "", 4.0, 4.3), ("clinician", asked, 2.0, 3.5))

    (flag,) = finding.proposals
    assert (flag.type, flag.reason, flag.severity) == (
        "unanswered_question",
        "answer_without_text",
        severity,
    )
    assert [one.sequence for one in flag.related] == [0]
    assert finding.features["lost_answer"] > 0.5


def test_an_answer_that_is_there_is_not_lost() -> None:
    finding = measure(("patient", "no", 4.0, 4.3), ("clinician", "any fever", 2.0, 3.5))

    assert finding.features["lost_answer"] == 0
    assert finding.features["speech_without_words"] == 0


def test_a_click_without_a_word_is_not() -> None:
    assert flags(measure(("patient", "", 4.0, 4.3))) == []


def test_an_empty_text_without_evidence_of_speech_is_not() -> None:
    bare = moment_of("")

    assert finding_of(DialogueGaps(SETTINGS, spoken_terms()), bare).proposals == ()


def test_a_question_without_an_answer_shows_when_its_asker_goes_on() -> None:
    finding = measure(
        ("clinician", "okay and do you smoke", 9.0, 10.0),
        ("clinician", "any allergies to medications", 4.0, 6.0),
    )

    (flag,) = finding.proposals
    assert flag.type == "unanswered_question"
    assert flag.severity == "high"
    assert flag.related == (Related(0),)
    assert "allergies" in flag.explanation


def test_an_answered_question_is_no_gap() -> None:
    asked: Timed = ("clinician", "any allergies to medications", 4.0, 6.0)

    assert (
        flags(measure(("clinician", "okay and do you smoke", 9.0, 10.0), asked, ("patient", "no", 6.5, 7.0)))
        == []
    )


def test_an_asker_who_goes_on_at_once_has_lost_nothing() -> None:
    asked: Timed = ("clinician", "any allergies to medications", 4.0, 6.0)

    assert flags(measure(("clinician", "or to any foods", 6.2, 7.0), asked)) == []


def test_a_turn_that_stops_mid_phrase_before_silence_is_cut_off() -> None:
    finding = measure(
        ("clinician", "right and any fever", 8.0, 9.0),
        ("patient", "i feel like vomiting but i", 4.0, 6.0),
        end_nll=6.0,
    )

    (flag,) = finding.proposals
    assert (flag.type, flag.reason) == ("cut_off_turn", "stops_mid_phrase")
    assert flag.related == (Related(0, (25, 26)),)
    assert finding.readings["dialogue_gaps"].score == pytest.approx(1.0 - flag.strength)


def test_a_speaker_who_is_interrupted_is_not_cut_off() -> None:
    said: Timed = ("patient", "i feel like vomiting but i", 4.0, 6.0)

    assert flags(measure(("clinician", "right and any fever", 6.1, 9.0), said, end_nll=6.0)) == []


def test_a_speaker_who_goes_on_after_a_pause_is_not_cut_off() -> None:
    said: Timed = ("patient", "i feel like vomiting but i", 4.0, 6.0)

    assert flags(measure(("patient", "can't", 8.0, 9.0), said, end_nll=6.0)) == []


def test_an_improbable_end_counts_where_the_last_word_says_nothing() -> None:
    new: Timed = ("clinician", "right and any fever", 7.5, 9.0)
    said: Timed = ("patient", "it hurts at the lower", 4.0, 6.0)

    assert flags(measure(new, said, end_nll=5.0)) == [("cut_off_turn", "stops_mid_phrase")]
    assert flags(measure(new, said, end_nll=1.0)) == []


def test_a_question_may_end_with_a_preposition() -> None:
    asked: Timed = ("patient", "what is that for", 4.0, 6.0)

    assert flags(measure(("clinician", "it helps with the pain", 7.0, 9.0), asked, end_nll=9.0)) == []


def test_a_model_that_fails_leaves_the_last_word_to_decide() -> None:
    def fail(_: object) -> list[object]:
        raise ModelFailure("unavailable")

    new: Timed = ("clinician", "right and any fever", 8.0, 9.0)
    signal = DialogueGaps(SETTINGS, spoken_terms())
    broken, complete = (
        finding_of(signal, moment(new, ("patient", said, 4.0, 6.0)), {"language_model": fail})
        for said in ("it is in my", "it is in my back")
    )

    assert flags(broken) == [("cut_off_turn", "stops_mid_phrase")]
    assert flags(complete) == []


def test_the_model_is_asked_only_where_silence_follows_a_turn() -> None:
    model = EndsAt(1.0)
    signal = DialogueGaps(SETTINGS, spoken_terms())
    finding_of(
        signal,
        moment(("clinician", "right and any fever", 6.2, 9.0), ("patient", "it hurts here", 4.0, 6.0)),
        {"language_model": model.score},
    )

    assert model.asked == []


def test_a_very_long_silence_between_lines_is_lost_speech() -> None:
    said: Timed = ("patient", "it hurts here", 4.0, 6.0)

    assert flags(measure(("clinician", "right and any fever", 13.0, 14.0), said)) == [
        ("lost_speech", "silence_between_lines")
    ]


def test_without_times_nothing_but_a_gap_in_the_dialogue_is_seen() -> None:
    signal = DialogueGaps(SETTINGS, spoken_terms())
    cut = moment_of("right and any fever", [("patient", "it is in my")], speaker="clinician")

    assert finding_of(signal, cut).proposals == ()
