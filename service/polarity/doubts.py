"""What tells that a yes or no was flipped, or a negation lost: features for the risk, and flags where it is plain."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from service.dialogue.questions import answered_questions
from service.dialogue.speakers import STAFF
from service.dialogue.terms import TermMatcher
from service.dialogue.tokens import Token, bare, span_of
from service.moment import Moment
from service.polarity.gains import PolarityGain, lost_negation_gain, taken_up_gain
from service.polarity.settings import PolaritySettings
from service.signals.base import Ask, Proposal
from streams.messages import Related

_SURE = 10.0
"""Nats at which nothing but the flipped reading is left."""


@dataclass(frozen=True, slots=True)
class PolarityDoubts:
    """What speaks for the opposite of a line, or of the answer before it.

    Attributes:
        features: `lost_negation_gain` and `opposite_taken_up_gain`, nats, 0 where nothing speaks for it.
        proposals: Flags.
    """

    features: Mapping[str, float]
    proposals: tuple[Proposal, ...]


NO_DOUBTS = PolarityDoubts({}, ())
"""Where nothing could be compared."""


def polarity_doubts(
    moment: Moment, settings: PolaritySettings, matcher: TermMatcher
) -> Generator[Ask, Any, PolarityDoubts]:
    """Holds the patient's line, and the bare answer before a line, against their opposites.

    Args:
        moment: The line.
        settings: Bounds and thresholds.
        matcher: Finds clinical terms in the question that the bare answer was given to.

    Raises:
        ModelFailure: the language model did not answer.
    """
    lost = None
    if moment.line.speaker not in STAFF:
        lost = yield from lost_negation_gain(moment, settings)
    taken_up = yield from taken_up_gain(moment, settings)
    proposals = []
    if lost is not None and lost.nats >= settings.flag_gain:
        proposals.append(_lost_negation(moment.line.spoken, lost))
    if taken_up is not None and taken_up.nats >= settings.taken_up_flag_gain:
        proposals.append(_taken_up_otherwise(moment, taken_up, matcher))
    return PolarityDoubts(
        {
            "lost_negation_gain": _evidence(lost),
            "opposite_taken_up_gain": _evidence(taken_up),
        },
        tuple(proposals),
    )


def _evidence(gain: PolarityGain | None) -> float:
    return 0.0 if gain is None else max(0.0, gain.nats)


def _lost_negation(words: tuple[Token, ...], gain: PolarityGain) -> Proposal:
    said = words[gain.first : gain.last + 1]
    return Proposal(
        type="lost_words",
        severity="high",
        span=span_of(words, gain.first, gain.last),
        reason="negation_fits_better",
        explanation=f"A “not” may be lost here: “{gain.reading}” would fit far better than “{bare(said)}”.",
        subject=bare(said),
        strength=min(1.0, gain.nats / _SURE),
    )


def _taken_up_otherwise(moment: Moment, gain: PolarityGain, matcher: TermMatcher) -> Proposal:
    line = moment.context[-1]
    asked = answered_questions(line, moment.context[:-1], matcher)
    return Proposal(
        type="contradiction",
        severity="high" if any(question.clinical for question in asked) else "medium",
        span=None,
        reason="answer_taken_up_otherwise",
        explanation=f"This goes on as after a “{gain.reading}”; the answer before it was written down as the opposite.",
        subject=f"line {line.sequence}",
        strength=min(1.0, gain.nats / _SURE),
        related=(Related(line.sequence, span_of(line.spoken, gain.first, gain.last)),),
    )
