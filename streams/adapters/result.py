"""What an adapter makes of a recogniser's message: its final results, in one form for all recognisers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from streams.decoding import Ignored
from streams.fields import InputOddity, JsonObject, Limits
from streams.messages import Word


@dataclass(frozen=True, slots=True)
class LabelledWord:
    """A word, and the recogniser's own name for who spoke it, if it tells speakers apart."""

    word: Word
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One final result. Times are seconds from the start of the recogniser's stream.

    Attributes:
        text: As the recogniser wrote it.
        end: Where the result ends; results are put in order by it.
        start: Where it begins.
        confidence: Of the whole result, 0..1.
        words: Its words.
        channel: The recogniser's own name for the audio channel.
        label: The recogniser's own name for the speaker of the whole result.
        end_of_turn: Whether the speaker had finished.
        speech_seconds: How much speech was heard, where that is measured apart from the words.
        language: Its language code.
        model: The recogniser's model.
    """

    text: str = field(repr=False)
    end: float
    start: float | None = None
    confidence: float | None = None
    words: tuple[LabelledWord, ...] = field(default=(), repr=False)
    channel: str | None = None
    label: str | None = None
    end_of_turn: bool | None = None
    speech_seconds: float | None = None
    language: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The recogniser says that its session is over."""


Outcome: TypeAlias = Sequence[Result] | Ignored | SessionEnded


class Adapter(Protocol):
    """Reads one recogniser's messages."""

    def __call__(self, message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
        """Reads a message.

        Args:
            message: The recogniser's JSON object.
            limits: The largest result that is read.
            oddities: Gains what was odd.

        Returns:
            At least one final result, or why there is none.

        Raises:
            MalformedRecord: the message has not the shape that the recogniser documents.
        """
        ...
