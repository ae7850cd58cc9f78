"""How fast each speaker of a call speaks: the ground for judging whether words are missing or surplus."""

from dataclasses import dataclass

from service.monitor_settings import PaceSettings
from streams.messages import Segment


@dataclass(frozen=True, slots=True)
class Pace:
    """One speaker's speech so far.

    Attributes:
        words: Words spoken in segments with known times, the oldest fading.
        seconds: Seconds of speech that these words took.
    """

    words: float = 0.0
    seconds: float = 0.0

    def words_per_second(self, settings: PaceSettings) -> float:
        """The speaker's rate, drawn towards the usual rate of conversation while little has been heard."""
        usual = settings.usual_words_per_second * settings.prior_seconds
        return (self.words + usual) / (self.seconds + settings.prior_seconds)

    def after(self, words: int, seconds: float, settings: PaceSettings) -> "Pace":
        """The pace once a further segment was heard; what is older than the memory fades."""
        keep = max(0.0, 1.0 - seconds / settings.memory_seconds)
        return Pace(self.words * keep + words, self.seconds * keep + seconds)


def speech_seconds(segment: Segment) -> float | None:
    """Seconds of speech in a segment: as measured by a voice detector if known, else its duration."""
    if segment.speech_seconds is not None:
        return segment.speech_seconds
    if segment.start is None or segment.end is None:
        return None
    return segment.end - segment.start
