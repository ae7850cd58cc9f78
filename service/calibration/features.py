"""Which features make the risk, and what reason says of each one's direction.

Two questions, fitted apart and added up (`calibrate.py`): was the segment misheard, and if so, is what a clinician
needs lost with it.
"""

from collections.abc import Mapping

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

REASONED_LOG_ODDS: Mapping[str, float] = {"implausible_doses": 3.0}
"""Evidence of which labels hold no case, with the log-odds that reason gives each: a dose that nobody takes was
misheard more often than not, and it matters."""
