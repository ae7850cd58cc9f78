"""Perplexity: how improbable the words are, given what was said before.

The simple form scores the segment alone and calls short answers improbable. Given the call's recent turns, a
short answer to its question is probable, and what stands out is a word that does not belong: so the peaks, the
mean of the few highest token negative log-likelihoods, say more than the mean.
"""

import numpy as np
from numpy.typing import NDArray

from models.interfaces import ScoreRequest, TokenScores
from service.dialogue.lines import context_of, scored_text
from service.dialogue.tokens import Token
from service.moment import Moment
from service.monitor_settings import PerplexitySettings
from service.signals.base import Finding, Measuring, Proposal, absent, ask_scores
from streams.messages import Evidence, SignalReading, Span


class Perplexity:
    """Perplexity of the segment alone (simple) and in its dialogue, with the peaks and where they are."""

    name = "perplexity"
    readings = ("perplexity", "perplexity_simple")

    def __init__(self, settings: PerplexitySettings) -> None:
        self._settings = settings

    def measure(self, moment: Moment) -> Measuring:
        """Value: mean of the highest token NLLs in context (nats); the simple form's value: exp(mean NLL alone)."""
        tokens = moment.line.tokens
        if not tokens:
            return absent(self.readings, "no_words")
        text = scored_text(tokens)
        alone = ScoreRequest("", text, extends=False)
        in_context = ScoreRequest(
            context_of(moment.context, moment.line.speaker), text, moment.segment.call_id
        )
        simple, dialogue = yield from ask_scores((alone, in_context))
        if not len(dialogue.nll):
            return absent(self.readings, "no_words")
        peak = _peak(dialogue.nll, self._settings.peak_tokens)
        return Finding(
            readings={
                "perplexity": SignalReading(peak, self._score(peak), self._evidence(dialogue, tokens)),
                "perplexity_simple": simple_reading(simple),
            },
            proposals=self._proposals(dialogue, tokens, peak),
            features={
                "peak_nll": peak,
                "mean_nll": float(dialogue.nll.mean()),
                "total_nll": float(dialogue.nll.sum()),
                "tokens": float(len(dialogue.nll)),
            },
        )

    def _score(self, peak: float) -> float:
        healthy, worst = self._settings.healthy_peak, self._settings.worst_peak
        return float(np.clip((worst - peak) / (worst - healthy), 0.0, 1.0))

    def _evidence(self, scores: TokenScores, tokens: tuple[Token, ...]) -> tuple[Evidence, ...]:
        high = np.flatnonzero(scores.nll >= self._settings.evidence_nats)
        return tuple(
            Evidence(_written_span(scores, int(at), tokens), "improbable_word", float(scores.nll[at]))
            for at in high
        )

    def _proposals(self, scores: TokenScores, tokens: tuple[Token, ...], peak: float) -> tuple[Proposal, ...]:
        if peak < self._settings.flag_peak or len(scores.nll) < self._settings.flag_tokens:
            return ()
        worst = int(scores.nll.argmax())
        return (
            Proposal(
                type="improbable_words",
                severity="low",
                span=_written_span(scores, worst, tokens),
                reason="unexpected_in_dialogue",
                explanation="These words hardly fit what was said before.",
                subject=_word_at(scores, worst, tokens).text,
                strength=min(1.0, peak / (2 * self._settings.flag_peak)),
            ),
        )


def simple_reading(scores: TokenScores) -> SignalReading:
    """Perplexity of the segment alone: exp of the mean token NLL; score max(0, 1 - (perplexity - 20) / 180)."""
    perplexity = float(np.exp(min(float(scores.nll.mean()), 50.0)))
    return SignalReading(perplexity, float(np.clip(1.0 - (perplexity - 20.0) / 180.0, 0.0, 1.0)))


def _peak(nll: NDArray[np.float32], count: int) -> float:
    return float(np.sort(nll)[-count:].mean())


def _word_at(scores: TokenScores, at: int, tokens: tuple[Token, ...]) -> Token:
    """The spoken word that holds a language-model token."""
    position = 0
    begin = int(scores.spans[at, 0])
    for token in tokens:
        position += 1 + len(token.text)
        if begin < position:
            return token
    return tokens[-1]


def _written_span(scores: TokenScores, at: int, tokens: tuple[Token, ...]) -> Span:
    word = _word_at(scores, at, tokens)
    return word.start, word.end
