"""Which features make the risk, and what reason says of each one's direction."""

from collections.abc import Mapping

RISK_FEATURES: Mapping[str, int] = {
    "peak_nll": +1,
    "end_nll": +1,
    "context_gain": -1,
    "log_tokens": 0,
    "words_missing": +1,
    "words_surplus": +1,
    "repair_gain": +1,
    "conflict": +1,
    "lost_words": +1,
    "bare_against_preference": +1,
    "implausible_doses": +1,
    "gap": +1,
    "lost_answer": +1,
    "asked_administrative": -1,
}
"""By name: +1 if more of it can only mean more risk, -1 if less, 0 if reason does not say."""
