"""Speech rate: words that are missing, or surplus, for the seconds of speech.

Much speech with few words is lost content; words without speech are invented. The simple form knows one rate
for everybody; here each speaker's own pace in the call says how many words were to be expected.
"""

import numpy as np

from service.moment import Moment
from service.monitor_settings import PaceSettings
from service.pace import speech_seconds
from service.signals.base import Finding, Measuring, Proposal, absent
from streams.messages import Evidence, SignalReading

SLOWEST, IDEAL_SLOW, IDEAL_FAST, FASTEST = 50.0, 110.0, 160.0, 250.0
"""Words per minute of the simple form: implausible below and above the outer two, ideal between the inner two."""


class SpeechRate:
    """Words per minute (simple), and words missing or surplus against the speaker's own pace."""

    name = "speech_rate"
    readings = ("speech_rate", "speech_rate_simple")

    def __init__(self, settings: PaceSettings) -> None:
        self._settings = settings

    def measure(self, moment: Moment) -> Measuring:
        """Value: words missing (positive) or surplus (negative); the simple form's value: words per minute."""
        yield from ()
        seconds = speech_seconds(moment.segment)
        if seconds is None:
            return absent(self.readings, "no_times")
        words = len(moment.line.tokens)
        missing, surplus = self._missing_and_surplus(moment, words, seconds)
        reason = "words_missing" if missing > surplus else "words_surplus"
        amount = max(missing, surplus)
        evidence = (Evidence(None, reason, amount),) if amount >= 1 else ()
        return Finding(
            readings={
                "speech_rate": SignalReading(missing - surplus, self._score(missing, surplus), evidence),
                "speech_rate_simple": simple_reading(words, seconds),
            },
            proposals=self._proposals(words, seconds, missing, surplus),
            features={"words_missing": missing, "words_surplus": surplus, "speech_seconds": seconds},
        )

    def _missing_and_surplus(self, moment: Moment, words: int, seconds: float) -> tuple[float, float]:
        expected = moment.pace.words_per_second(self._settings) * seconds
        possible = self._settings.fastest_words_per_second * (seconds + self._settings.slack_seconds)
        return max(0.0, expected - words), max(0.0, words - possible)

    def _score(self, missing: float, surplus: float) -> float:
        worst = max(missing / self._settings.flag_missing_words, surplus / self._settings.flag_surplus_words)
        return float(np.clip(1.0 - worst, 0.0, 1.0))

    def _proposals(self, words: int, seconds: float, missing: float, surplus: float) -> tuple[Proposal, ...]:
        said = f"{words} {'word' if words == 1 else 'words'} in {seconds:.1f} s of speech"
        share = missing / max(missing + words, 1.0)
        if missing >= self._settings.flag_missing_words and share >= self._settings.flag_missing_share:
            return (self._proposal("words_missing", missing, f"{said}: words are missing."),)
        if surplus >= self._settings.flag_surplus_words:
            return (self._proposal("words_surplus", surplus, f"{said}: nobody speaks that fast."),)
        return ()

    @staticmethod
    def _proposal(reason: str, amount: float, explanation: str) -> Proposal:
        return Proposal(
            type="implausible_speech_rate",
            severity="medium",
            span=None,
            reason=reason,
            explanation=explanation,
            subject=reason,
            strength=min(1.0, amount / 40.0),
        )


def simple_reading(words: int, seconds: float) -> SignalReading:
    """Words per minute; score 1 from 110 to 160, falling evenly to 0 at 50 and at 250."""
    if seconds <= 0:
        return SignalReading(None, None, absent="no_duration")
    rate = 60.0 * words / seconds
    score = np.interp(rate, (SLOWEST, IDEAL_SLOW, IDEAL_FAST, FASTEST), (0.0, 1.0, 1.0, 0.0))
    return SignalReading(rate, float(score))
