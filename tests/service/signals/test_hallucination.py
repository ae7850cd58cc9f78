from dataclasses import replace

import pytest

from models.interfaces import ModelFailure
from service.monitor_settings import HallucinationSettings, PerplexitySettings
from service.signals.base import Ask, Finding
from service.signals.hallucination import Hallucination
from service.signals.perplexity import Perplexity
from tests.service.moments import Said, finding_of, moment_of, no_commonness

SIGNAL = Hallucination(HallucinationSettings())


def measure(text: str, *before: Said, speech_seconds: float | None = None) -> Finding:
    moment = moment_of(text, before)
    return finding_of(SIGNAL, replace(moment, segment=replace(moment.segment, speech_seconds=speech_seconds)))


def reasons(finding: Finding) -> list[str]:
    return [evidence.reason for evidence in finding.readings["hallucination"].evidence]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Thank you for watching!", "caption"),
        ("www.beadaholique.com", "web_address"),
        ("and then I go and then I go and then I go", "loop"),
        ("спасибо за просмотр", "other_script"),
        ("muchas gracias por ver el video", "other_language"),
    ],
)
def test_what_nobody_said_is_flagged_with_its_reason(text: str, reason: str) -> None:
    finding = measure(text)

    assert [(flag.type, flag.reason) for flag in finding.proposals] == [("hallucinated_text", reason)]
    assert reasons(finding) == [reason]


def test_words_where_nobody_was_heard_are_flagged() -> None:
    assert reasons(measure("i would like to go home", speech_seconds=0.1)) == ["words_without_speech"]
    assert reasons(measure("i would like to go home", speech_seconds=1.5)) == []


def test_a_line_that_comes_a_third_time_is_flagged() -> None:
    line: Said = ("patient", "i'll see you there then")

    assert reasons(measure(line[1], line, line)) == ["repeated_line"]
    assert reasons(measure(line[1], line)) == []
    assert reasons(measure(line[1], line, ("clinician", line[1]))) == []


def test_long_text_that_says_nearly_the_same_again_and_again_is_flagged() -> None:
    text = " ".join(
        f"and now we take the next one of the {colour} ones" for colour in ("red", "blue", "green") * 4
    )

    assert reasons(measure(text)) == ["compresses_too_well"]


@pytest.mark.parametrize(
    "text",
    [
        "yeah yeah yeah",
        "okay okay bye bye thank you bye",
        "no no no no no nothing like that",
        "thank you thank you thank you very much",
        "my number is zero seven seven seven seven one two three",
        "it's ada at gmail dot com",
    ],
)
def test_ordinary_talk_is_healthy(text: str) -> None:
    finding = measure(text)

    assert finding.proposals == ()
    assert finding.readings["hallucination"].score == 1.0


def test_nothing_said_is_not_measured() -> None:
    assert measure("um").readings["hallucination"].absent == "no_words"


TALK: tuple[Said, ...] = (
    ("clinician", "where does your tummy hurt the most"),
    ("patient", "low down on the right and it got worse"),
    ("clinician", "and does the pain go anywhere else"),
    ("patient", "no the pain is only low down"),
)


def test_a_line_that_the_dialogue_makes_no_more_probable_is_unlike_the_call() -> None:
    inserted = "mix flour with butter until smooth then bake"

    assert reasons(measure(inserted, *TALK)) == ["unlike_the_call"]


def test_a_line_that_goes_on_with_the_dialogue_is_healthy() -> None:
    assert reasons(measure("the pain got worse on the right low down", *TALK)) == []


def test_nothing_is_unlike_a_call_that_begins() -> None:
    assert reasons(measure("mix flour with butter until smooth then bake", *TALK[:2])) == []


def test_a_model_that_fails_leaves_the_other_patterns() -> None:
    def fail(_: object) -> list[object]:
        raise ModelFailure("unavailable")

    finding = finding_of(SIGNAL, moment_of("thanks for watching"), {"language_model": fail})

    assert reasons(finding) == ["caption"]


def test_it_asks_the_model_nothing_that_perplexity_does_not() -> None:
    moment = moment_of("it got worse", TALK)
    own, others = (
        next(signal.measure(moment)) for signal in (SIGNAL, Perplexity(PerplexitySettings(), no_commonness))
    )

    assert isinstance(own, Ask)
    assert isinstance(others, Ask)
    assert set(own.items) <= set(others.items)
