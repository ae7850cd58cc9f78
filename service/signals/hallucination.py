"""Hallucination patterns: text that nobody said.

Recognisers invent most where there is sound without speech: the sign-offs of video captions, web addresses, one
phrase over and over, another language or script, words where a voice detector heard nobody. The published forms are
lists of such phrases, repeated n-grams and the compression ratio; people insist and stammer too ("no no no", "okay
okay bye bye"), so the bounds here are beyond what is heard in any of some twenty thousand turns of clinical talk.
What is invented fluently shows in that the dialogue does not help to predict it: real lines get more probable by it.
"""

from collections.abc import Generator, Iterator
from typing import Any

from models.interfaces import ModelFailure, ScoreRequest
from service.dialogue.lines import Line, context_of, scored_text
from service.dialogue.tokens import Token, span_of
from service.hallucination.captions import caption_in, web_address_in
from service.hallucination.foreign import other_language, other_script
from service.hallucination.loops import compression_ratio, find_loop
from service.moment import Moment
from service.monitor_settings import HallucinationSettings
from service.signals.base import Ask, Finding, Measuring, Proposal, absent, ask_scores
from streams.messages import Evidence, Severity, SignalReading, Span

_RATIO_FROM_CHARACTERS, _RATIO_TO_CHARACTERS = 160, 1200
"""Short text does not deflate at all, and long text always does."""
_REPEATED_LINE_WORDS = 4
_LOOK_BACK = 8


class Hallucination:
    """Captions, addresses, loops, other languages and scripts, words without speech."""

    name = "hallucination"
    readings = ("hallucination",)

    def __init__(self, settings: HallucinationSettings) -> None:
        self._settings = settings

    def measure(self, moment: Moment) -> Measuring:
        """Value: strength of the surest pattern, 0 if there is none."""
        words = moment.line.spoken
        if not words:
            return absent(self.readings, "no_words")
        gain = yield from context_gain(moment)
        patterns = [*self._patterns(moment, words), *self._insertion(moment, words, gain)]
        found = sorted(patterns, key=lambda proposal: -proposal.strength)
        value = found[0].strength if found else 0.0
        evidence = tuple(Evidence(proposal.span, proposal.reason, proposal.strength) for proposal in found)
        return Finding(
            readings={"hallucination": SignalReading(value, 1.0 - value, evidence)},
            proposals=tuple(found[:1]),
            features={"hallucinated": value},
        )

    def _patterns(self, moment: Moment, words: tuple[Token, ...]) -> Iterator[Proposal]:
        settings, text = self._settings, [word.text for word in words]
        everything = span_of(words, 0, len(words) - 1)
        caption = caption_in(text)
        if caption is not None:
            yield _invented("caption", span_of(words, *caption), "This is a phrase of video captions.", 0.9)
        address = web_address_in(text)
        if address is not None:
            yield _invented(
                "web_address", span_of(words, *address), "A web address is rarely spoken.", 0.4, "low"
            )
        loop = find_loop(text, least_words=settings.loop_words)
        if loop is not None:
            span = span_of(words, loop.first, loop.last)
            yield _invented("loop", span, "The same words are written over and over.", 0.9)
        elif self._deflates(text):
            yield _invented(
                "compresses_too_well", everything, "Nearly the same is written again and again.", 0.7
            )
        if _said_twice_before(moment.line, moment.history):
            yield _invented("repeated_line", everything, "The same line is written a third time.", 0.8)
        script = other_script(moment.segment.text)
        if script is not None:
            yield _invented("other_script", script, "This is written in another script than the call.", 0.8)
        if other_language(text):
            yield _invented("other_language", everything, "This is in another language than the call.", 0.8)
        speech = moment.segment.speech_seconds
        if speech is not None and len(words) > settings.words_in_silence + settings.words_per_second * speech:
            explanation = f"{len(words)} words were written for {speech:.1f} s of speech."
            yield _invented("words_without_speech", everything, explanation, 0.8)

    def _insertion(self, moment: Moment, words: tuple[Token, ...], gain: float | None) -> Iterator[Proposal]:
        settings = self._settings
        told = len(moment.context) >= settings.insertion_lines and len(words) >= settings.insertion_words
        if told and gain is not None and gain < settings.insertion_gain:
            span = span_of(words, 0, len(words) - 1)
            yield _invented("unlike_the_call", span, "This has nothing to do with what is spoken of.", 0.6)

    def _deflates(self, words: list[str]) -> bool:
        text = " ".join(words)
        if not _RATIO_FROM_CHARACTERS <= len(text) <= _RATIO_TO_CHARACTERS:
            return False
        return compression_ratio(text) > self._settings.compression_ratio


def context_gain(moment: Moment) -> Generator[Ask, Any, float | None]:
    """By how much the dialogue makes a line's words more probable, mean over its tokens in nats; None if not known.

    Asks what perplexity asks, so nothing more is computed.
    """
    text = scored_text(moment.line.spoken)
    context = context_of(moment.context, moment.line.speaker)
    try:
        alone, dialogue = yield from ask_scores(
            (ScoreRequest("", text, extends=False), ScoreRequest(context, text, moment.stream))
        )
    except ModelFailure:
        return None
    return float(alone.nll.mean() - dialogue.nll.mean())


def _said_twice_before(line: Line, before: tuple[Line, ...]) -> bool:
    """Whether the same speaker's last lines hold exactly these words twice: a loop that runs on over segments."""
    if len(line.spoken) < _REPEATED_LINE_WORDS:
        return False
    return (
        sum(
            earlier.speaker == line.speaker and earlier.shown == line.shown
            for earlier in before[-_LOOK_BACK:]
        )
        > 1
    )


def _invented(
    reason: str, span: Span, explanation: str, strength: float, severity: Severity = "medium"
) -> Proposal:
    return Proposal(
        type="hallucinated_text",
        severity=severity,
        span=span,
        reason=reason,
        explanation=f"{explanation} Perhaps nobody said it.",
        subject=reason,
        strength=strength,
    )
