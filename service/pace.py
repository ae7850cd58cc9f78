"""How fast each speaker of a call speaks: the ground for judging whether words are missing or surplus."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from typing_extensions import TypedDict

from service.monitor_settings import PaceSettings
from service.state.rows import row_writer
from streams.messages import Segment, Speaker

_REVISABLE = 32
"""A speaker's last segments, of which any may still be revised."""


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


@dataclass(frozen=True, slots=True)
class _Heard:
    sequence: int
    words: int
    seconds: float


PaceForm = tuple[float, float]
"""A `Pace` in a call's state, field by field."""

HeardForm = tuple[int, int, float]
"""What was heard in a segment, in a call's state: sequence, words, seconds."""

_pace_form: Callable[[Pace], PaceForm] = row_writer(Pace)
_heard_form: Callable[[_Heard], HeardForm] = row_writer(_Heard)


class SpeechForm(TypedDict):
    """One speaker's speech in a call's state."""

    pace: PaceForm
    before: PaceForm
    recent: list[HeardForm]


PacesForm = dict[Speaker, SpeechForm]
"""Every speaker's speech in a call's state."""


@dataclass(slots=True)
class _Speech:
    """One speaker's pace now, and how it came about: the pace before the last segments, and these."""

    pace: Pace = Pace()
    before: Pace = Pace()
    recent: deque[_Heard] = field(default_factory=deque)


class Paces:
    """Every speaker's pace in one call. What a lately heard segment added can be taken back."""

    def __init__(self) -> None:
        self._speech: dict[Speaker, _Speech] = {}

    def of(self, speaker: Speaker) -> Pace:
        """A speaker's pace so far."""
        speech = self._speech.get(speaker)
        return Pace() if speech is None else speech.pace

    def hear(self, segment: Segment, words: int, settings: PaceSettings) -> None:
        """Takes a segment of so many words in; one without words or times says nothing of a pace."""
        seconds = speech_seconds(segment)
        if seconds is None or not words:
            return
        speech = self._speech.setdefault(segment.speaker, _Speech())
        speech.pace = speech.pace.after(words, seconds, settings)
        speech.recent.append(_Heard(segment.sequence, words, seconds))
        if len(speech.recent) > _REVISABLE:
            oldest = speech.recent.popleft()
            speech.before = speech.before.after(oldest.words, oldest.seconds, settings)

    def retract(self, sequence: int, settings: PaceSettings) -> None:
        """Takes back what a segment added, as if it had not been heard; one of long ago stays."""
        for speech in self._speech.values():
            left = deque(heard for heard in speech.recent if heard.sequence != sequence)
            if len(left) == len(speech.recent):
                continue
            speech.recent, speech.pace = left, speech.before
            for heard in left:
                speech.pace = speech.pace.after(heard.words, heard.seconds, settings)

    def form(self) -> PacesForm:
        """All of it, as plain data for a call's state."""
        return {
            speaker: {
                "pace": _pace_form(speech.pace),
                "before": _pace_form(speech.before),
                "recent": list(map(_heard_form, speech.recent)),
            }
            for speaker, speech in self._speech.items()
        }

    @classmethod
    def of_form(cls, form: PacesForm) -> "Paces":
        """The paces that wrote a form."""
        paces = cls()
        for speaker, speech in form.items():
            recent = deque(_Heard(*row) for row in speech["recent"])
            paces._speech[speaker] = _Speech(Pace(*speech["pace"]), Pace(*speech["before"]), recent)
        return paces


def speech_seconds(segment: Segment) -> float | None:
    """Seconds of speech in a segment: as measured by a voice detector if known, else its duration."""
    if segment.speech_seconds is not None:
        return segment.speech_seconds
    if segment.start is None or segment.end is None:
        return None
    return segment.end - segment.start
