"""Confidence: how sure the recogniser was, and of which words.

The published form takes the language model's log-probabilities for confidence: tokens below -18, or falling by more
than 8 from the token before. Where the recogniser gives confidences of its own, these count, and by what hangs on
the word: an unsure "fifteen", "no" or drug name may change the picture, an unsure "just" does not.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.interfaces import ModelFailure, ScoreRequest
from service.dialogue.lines import scored_text
from service.dialogue.negation import NEGATORS
from service.dialogue.numbers import is_number_word
from service.dialogue.stopwords import STOPWORDS
from service.dialogue.terms import TermMatcher
from service.dialogue.tokens import Token
from service.moment import Moment
from service.monitor_settings import ConfidenceSettings
from service.signals.base import FAILED, Ask, Finding, Measuring, Proposal, ask_scores
from streams.messages import Evidence, Segment, SignalReading, Span, Word

LEAST_LOG_PROBABILITY = -18.0
"""Nats: a token below it is unsure in the simple form."""

LARGEST_FALL = 8.0
"""Nats: a token less probable than the one before by more is unsure in the simple form."""

TOKEN_COST = 0.05
"""What each unsure token costs the simple form's score."""


@dataclass(frozen=True, slots=True)
class _Unsure:
    """A word that the recogniser was not sure of. `at_stake` is 1 where the clinical picture may hang on it."""

    span: Span
    text: str = field(repr=False)
    doubt: float
    at_stake: float


class Confidence:
    """Unsure tokens of the language model (simple), and the recogniser's own doubt about what matters.

    Args:
        settings: Thresholds and weights.
        matcher: Finds clinical terms.
    """

    name = "confidence"
    readings = ("confidence", "confidence_simple")

    def __init__(self, settings: ConfidenceSettings, matcher: TermMatcher) -> None:
        self._settings = settings
        self._matcher = matcher

    def measure(self, moment: Moment) -> Measuring:
        """Value: the recogniser's doubt, summed over words by what hangs on them; the simple form's: unsure tokens."""
        reading, unsure = self._recogniser(moment)
        simple = yield from _simple(moment)
        return Finding(
            readings={"confidence": reading, "confidence_simple": simple},
            proposals=self._proposals(unsure),
            features={} if reading.value is None else {"recogniser_doubt": reading.value},
        )

    def _recogniser(self, moment: Moment) -> tuple[SignalReading, list[_Unsure]]:
        segment = moment.segment
        words = _words_with_confidence(segment)
        if words:
            unsure = self._unsure(words, moment.line.tokens)
            doubt = sum(word.doubt * word.at_stake for word in unsure)
            evidence = tuple(
                Evidence(word.span, "unsure_word", word.doubt)
                for word in unsure
                if word.doubt >= self._settings.evidence_doubt
            )
        elif segment.confidence is not None:
            unsure, doubt, evidence = [], 1.0 - segment.confidence, ()
        else:
            return SignalReading(None, None, absent="no_confidence"), []
        return SignalReading(doubt, max(0.0, 1.0 - doubt), evidence), unsure

    def _unsure(self, words: Sequence[tuple[Span, float]], tokens: Sequence[Token]) -> list[_Unsure]:
        """Each recognised word that carries meaning, with its doubt."""
        terms = {
            place
            for match in self._matcher.match([token.text for token in tokens])
            for place in range(match.first, match.last + 1)
        }
        stakes = {
            (token.start, token.end): (
                token.text,
                1.0
                if at in terms or token.text in NEGATORS or is_number_word(token.text)
                else self._settings.other_words,
            )
            for at, token in enumerate(tokens)
            if token.text not in STOPWORDS or token.text in NEGATORS
        }
        return [
            _Unsure(span, stakes[span][0], 1.0 - confidence, stakes[span][1])
            for span, confidence in words
            if span in stakes
        ]

    def _proposals(self, unsure: Sequence[_Unsure]) -> tuple[Proposal, ...]:
        """The word that matters and was least sure, if it was hardly more than a guess."""
        settings = self._settings
        guesses = [word for word in unsure if word.at_stake >= 1.0 and word.doubt >= settings.flag_doubt]
        if not guesses:
            return ()
        worst = max(guesses, key=lambda word: word.doubt)
        return (
            Proposal(
                type="unsure_word",
                severity="medium",
                span=worst.span,
                reason="low_confidence_of_what_matters",
                explanation=f"The recogniser was only {1.0 - worst.doubt:.0%} sure of this word, and much hangs on it.",
                subject=worst.text,
                strength=worst.doubt,
            ),
        )


def simple_reading(nll: NDArray[np.float32]) -> SignalReading:
    """Unsure tokens of the segment alone; score 1 less a cost for each."""
    unsure = nll > -LEAST_LOG_PROBABILITY
    unsure[1:] |= np.diff(nll) > LARGEST_FALL
    count = int(unsure.sum())
    return SignalReading(float(count), max(0.0, 1.0 - TOKEN_COST * count))


def _simple(moment: Moment) -> Generator[Ask, Any, SignalReading]:
    words = moment.line.spoken
    if not words:
        return SignalReading(None, None, absent="no_words")
    text = scored_text(words)
    try:
        (scores,) = yield from ask_scores((ScoreRequest("", text, extends=False),))
    except ModelFailure:
        return SignalReading(None, None, absent=FAILED)
    return simple_reading(scores.nll[: np.searchsorted(scores.spans[:, 0], len(text) - 1)])


def _words_with_confidence(segment: Segment) -> list[tuple[Span, float]]:
    """Where each recognised word stands in the text, and how sure the recogniser was of it."""
    placed: list[tuple[Span, float]] = []
    text, at = segment.text.lower(), 0
    for word in segment.words:
        written = _bare(word)
        found = text.find(written, at) if written else -1
        if found < 0:
            continue
        at = found + len(written)
        if word.confidence is not None:
            placed.append(((found, at), word.confidence))
    return placed


def _bare(word: Word) -> str:
    return word.text.lower().strip(' .,?!;:"()')
