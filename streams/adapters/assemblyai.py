"""AssemblyAI, streaming (`/v3/ws`): `Turn` messages; times in milliseconds, speakers by turn or by word."""

from typing import Final

from streams.adapters.result import LabelledWord, Outcome, Result, SessionEnded
from streams.adapters.times import ordered, required_instant
from streams.decoding import Ignored
from streams.fields import (
    InputOddity,
    JsonObject,
    Limits,
    MalformedRecord,
    boolean,
    confidence,
    label,
    required,
    text,
    word_records,
)
from streams.messages import Word

_MILLISECONDS: Final = 1_000
_NEWS: Final = frozenset(
    {
        "Begin",
        "SpeechStarted",
        "Heartbeat",
        "Silence",
        "SpeakerRevision",
        "LLMGatewayResponse",
        "Warning",
        "Error",
    }
)
"""Messages that hold no new transcript."""


def read_assemblyai(message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
    """Reads a message. With formatting asked for, a turn may end twice: the second revises the first."""
    required(message, "type")
    kind = label(message, "type", limits)
    if kind == "Termination":
        return SessionEnded()
    if kind in _NEWS:
        return Ignored("control_message")
    if kind != "Turn":
        raise MalformedRecord("unknown_message", "type")
    required(message, "end_of_turn")
    if boolean(message, "end_of_turn") is not True:
        return Ignored("non_final")
    transcript = text(message, "transcript", limits)
    if not transcript:
        return Ignored("no_words")
    return (_result(message, transcript, limits, oddities),)


def _result(message: JsonObject, transcript: str, limits: Limits, oddities: list[InputOddity]) -> Result:
    words = tuple(
        _word(word, f"words[{index}].", limits, oddities)
        for index, word in enumerate(word_records(message, "words", limits))
    )
    end = words[-1].word.end if words else None
    if end is None:
        # Without its words nothing says when a turn was spoken.
        raise MalformedRecord("missing_field", "words")
    return Result(
        text=transcript,
        end=end,
        words=words,
        label=label(message, "speaker_label", limits),
        end_of_turn=True,
        language=label(message, "language_code", limits),
    )


def _word(word: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> LabelledWord:
    start, end = ordered(
        required_instant(word, "start", prefix, per_second=_MILLISECONDS),
        required_instant(word, "end", prefix, per_second=_MILLISECONDS),
        f"{prefix}end",
    )
    return LabelledWord(
        Word(
            text(word, "text", limits, prefix), start, end, confidence(word, "confidence", oddities, prefix)
        ),
        label(word, "speaker", limits, prefix),
    )
