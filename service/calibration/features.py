"""Which features make the risk, and what reason says of each one's direction.

Two questions, fitted apart and added up (`calibrate.py`): was the segment misheard, and if so, is what a clinician
needs lost with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

MISHEARING_FEATURES: Mapping[str, int] = {
    "peak_nll": +1,
    "end_nll": +1,
    "surprise_beyond_commonness": +1,
    "log_tokens": 0,
    "words_missing": +1,
    "words_surplus": +1,
    "repair_gain": +1,
    "conflict": +1,
    "lost_words": +1,
    "bare_against_preference": +1,
    "gap": +1,
    "lost_answer": +1,
}
"""Evidence that the segment was misheard: +1 if more of it can only mean more risk, -1 if less, 0 if reason does
not say."""

CONSEQUENCE_FEATURES: Mapping[str, int] = {
    "least_context_gain": -1,
    "speech_without_words": +1,
    "lost_answer": +1,
    "asked_administrative": -1,
}
"""What tells, of segments that were misheard, those that mislead: the words that remain do not belong to the
dialogue, or none remain; and nothing hangs on a name or an address."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What evidence adds that the labelled segments cannot teach.

    Attributes:
        log_odds: For each unit.
        above: Units that add nothing yet.
        up_to: Units from which no more is added.
    """

    log_odds: float
    above: float
    up_to: float


REASONED_FEATURES: Mapping[str, Reasoned] = {
    "implausible_doses": Reasoned(3.0, above=0.0, up_to=1.0),
    "opposite_taken_up_gain": Reasoned(2.0, above=1.5, up_to=3.0),
}
"""Evidence with no case among the labelled segments. A dose that nobody takes was misheard more often than not, and it
matters. What the next speaker says shows on the line after the error: gains of 1.5 and 2 nats are 16 and 33 times as
frequent after injected errors as in clean calls."""
