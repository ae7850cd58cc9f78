"""Perplexity: how improbable the words are, given what was said before.

The simple form scores the segment alone and calls short answers improbable. Given the call's recent turns, a
short answer to its question is probable, and what stands out is a word that does not belong: so the peaks, the
mean of the few highest token negative log-likelihoods, say more than the mean.

Two differences say more still. A rare word is improbable even where it is right, but the dialogue makes it likelier
than it was alone; a misheard word it does not, or makes less likely: the words that gain least. And a word may be no
likelier here than in English at large.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.interfaces import ScoreRequest, TokenScores
from service.dialogue.lines import context_of, scored_text, token_at
from service.dialogue.surprise import word_surprise
from service.dialogue.tokens import Token
from service.moment import Moment
from service.monitor_settings import PerplexitySettings
from service.signals.base import Finding, Measuring, Proposal, absent, ask_scores
from streams.messages import Evidence, SignalReading

LEAST_GAINING_WORDS: Final = 3
"""Words whose gains make the least gain: one alone is chance, and a long line has always one that gains nothing."""

DIALOGUE_LINES: Final = 2
"""Lines before from which it can be said what the dialogue does to a word: to the first words of a call, nothing."""

_COUNTED_WORDS: Final = 12.0
"""Common logarithm of how many words of English the counts of common words come from."""
_UNLISTED_WORD_NATS: Final = 22.0
"""Surprise of a word that is not among the counted ones: rarer than any of them."""


class Perplexity:
    """Perplexity of the segment alone (simple) and in its dialogue, with the peaks and where they are.

    Args:
        settings: Thresholds.
        commonness: Ten times the common logarithm of how often a word was counted; None for one that was not.
    """

    name = "perplexity"
    readings = ("perplexity", "perplexity_simple")

    def __init__(self, settings: PerplexitySettings, commonness: Callable[[str], float | None]) -> None:
        self._settings = settings
        self._commonness = commonness

    def measure(self, moment: Moment) -> Measuring:
        """Value: mean of the highest token NLLs in context (nats); the simple form's value: exp(mean NLL alone)."""
        words = moment.line.spoken
        if not words:
            return absent(self.readings, "no_words")
        in_talk = len(moment.context) >= DIALOGUE_LINES
        text = scored_text(words)
        context = context_of(moment.context, moment.line.speaker)
        alone, dialogue = yield from ask_scores(
            (ScoreRequest("", text, extends=False), ScoreRequest(context, text, moment.stream))
        )
        nll, end_nll = _words_and_line_end(dialogue, words)
        peak = _peak(nll, self._settings.peak_tokens)
        in_dialogue = word_surprise(dialogue, words)
        return Finding(
            readings={
                "perplexity": SignalReading(peak, self._score(peak), self._evidence(dialogue, nll, words)),
                "perplexity_simple": simple_reading(_words_and_line_end(alone, words)[0]),
            },
            proposals=self._proposals(dialogue, nll, words) if in_talk else (),
            features={
                "peak_nll": peak,
                "mean_nll": float(dialogue.nll.mean()),
                "end_nll": end_nll,
                "log_tokens": float(np.log1p(len(nll))),
                "surprise_beyond_commonness": float((in_dialogue - self._surprise_at_large(words)).mean()),
            }
            | (_gains(alone, dialogue, words) if in_talk else {}),
        )

    def _surprise_at_large(self, words: Sequence[Token]) -> NDArray[np.float64]:
        """Negative log-likelihood of each word by how common it is alone, float64 [words], nats."""
        return np.array([_nats(self._commonness(word.text)) for word in words])

    def _score(self, peak: float) -> float:
        healthy, worst = self._settings.healthy_peak, self._settings.worst_peak
        return float(np.clip((worst - peak) / (worst - healthy), 0.0, 1.0))

    def _evidence(
        self, scores: TokenScores, nll: NDArray[np.float32], words: Sequence[Token]
    ) -> tuple[Evidence, ...]:
        """The improbable words, each once with its most improbable part."""
        highest: dict[tuple[int, int], float] = {}
        for at in np.flatnonzero(nll >= self._settings.evidence_nats):
            word = _word_of(scores, int(at), words)
            span = (word.start, word.end)
            highest[span] = max(highest.get(span, 0.0), float(nll[at]))
        return tuple(Evidence(span, "improbable_word", value) for span, value in highest.items())

    def _proposals(
        self, scores: TokenScores, nll: NDArray[np.float32], words: Sequence[Token]
    ) -> tuple[Proposal, ...]:
        peak = _peak(nll, self._settings.peak_tokens)
        if peak < self._settings.flag_peak or len(nll) < self._settings.flag_tokens:
            return ()
        worst = _word_of(scores, int(nll.argmax()), words)
        return (
            Proposal(
                type="improbable_words",
                severity="low",
                span=(worst.start, worst.end),
                reason="unexpected_in_dialogue",
                explanation="These words hardly fit what was said before.",
                subject=worst.text,
                strength=min(1.0, peak / (2 * self._settings.flag_peak)),
            ),
        )


def simple_reading(nll: NDArray[np.float32]) -> SignalReading:
    """Perplexity of the segment alone: exp of the mean token NLL; score max(0, 1 - (perplexity - 20) / 180)."""
    perplexity = float(np.exp(min(float(nll.mean()), 50.0)))
    return SignalReading(perplexity, float(np.clip(1.0 - (perplexity - 20.0) / 180.0, 0.0, 1.0)))


def _gains(alone: TokenScores, dialogue: TokenScores, words: Sequence[Token]) -> dict[str, float]:
    """By how much the dialogue makes the words likelier, as features in nats."""
    by_word = word_surprise(alone, words) - word_surprise(dialogue, words)
    return {
        "context_gain": float(alone.nll.mean() - dialogue.nll.mean()),
        "least_context_gain": least_gain(by_word),
    }


def least_gain(gains: NDArray[np.float64]) -> float:
    """Mean of the gains of the words that gain least, nats: negative where the dialogue speaks against them.

    Pointwise mutual information of word and dialogue (Church and Hanks 1990), for the words where it is lowest.

    Args:
        gains: By how much the dialogue makes each word likelier, float64 [words], nats.
    """
    return float(np.sort(gains)[:LEAST_GAINING_WORDS].mean())


def _nats(commonness: float | None) -> float:
    return (
        _UNLISTED_WORD_NATS if commonness is None else (_COUNTED_WORDS - commonness / 10.0) * math.log(10.0)
    )


def _words_and_line_end(scores: TokenScores, words: Sequence[Token]) -> tuple[NDArray[np.float32], float]:
    """NLLs of the words' tokens, and the sum of those that end the line."""
    ends = int(np.searchsorted(scores.spans[:, 0], len(scored_text(words)) - 1))
    return scores.nll[:ends], float(scores.nll[ends:].sum())


def _peak(nll: NDArray[np.float32], count: int) -> float:
    return float(np.sort(nll)[-count:].mean())


def _word_of(scores: TokenScores, at: int, words: Sequence[Token]) -> Token:
    index = token_at(words, int(scores.spans[at, 0]))
    return words[-1] if index is None else words[index]
