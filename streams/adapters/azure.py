"""Azure Speech, continuous recognition and conversation transcription: the result's JSON; times in ticks.

That JSON is what the Speech SDK gives as the property `SpeechServiceResponse_JsonResult`, and what the service itself
sends as `speech.phrase` (final) and `speech.hypothesis` (interim).
"""

from typing import Any, Final

from streams.adapters.result import LabelledWord, Outcome, Result
from streams.adapters.times import instant, required_instant
from streams.decoding import Ignored
from streams.fields import (
    InputOddity,
    JsonObject,
    Limits,
    MalformedRecord,
    child,
    children,
    confidence,
    label,
    required,
    text,
    word_records,
)
from streams.messages import Word

TICKS: Final = 10_000_000
"""Ticks of 100 ns in a second."""

_NOTHING_SAID: Final = frozenset({"InitialSilenceTimeout", "BabbleTimeout", "EndSilenceTimeout"})
_NEWS: Final = frozenset({"EndOfDictation", "Error"})


def read_azure(message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
    """Reads a phrase or a hypothesis. `NoMatch` is speech in which no word was recognised: an empty result."""
    status = label(message, "RecognitionStatus", limits)
    if status is None:
        required(message, "Text" if "Text" in message else "RecognitionStatus")
        return Ignored("non_final")
    if status in _NOTHING_SAID:
        return Ignored("no_words")
    if status in _NEWS:
        return Ignored("control_message")
    if status not in {"Success", "NoMatch"}:
        raise MalformedRecord("unknown_message", "RecognitionStatus")
    result = _result(message, limits, oddities, recognised=status == "Success")
    return (result,) if result.text or result.speech_seconds else Ignored("no_words")


def _result(message: JsonObject, limits: Limits, oddities: list[InputOddity], *, recognised: bool) -> Result:
    start = required_instant(message, "Offset", per_second=TICKS)
    length = required_instant(message, "Duration", per_second=TICKS)
    phrases = children(message, "NBest")
    best = phrases[0] if phrases and recognised else None
    return Result(
        text=_text(message, best, limits) if recognised else "",
        start=start,
        end=start + length,
        confidence=None if best is None else confidence(best, "Confidence", oddities, "NBest[0]."),
        words=() if best is None else _words(best, limits, oddities),
        channel=_channel(message),
        label=label(message, "SpeakerId", limits) or None,
        # A phrase ends with silence.
        end_of_turn=True,
        speech_seconds=None if recognised else length,
        language=_language(message, limits),
    )


def _text(message: JsonObject, best: JsonObject | None, limits: Limits) -> str:
    if best is None:
        return text(message, "DisplayText", limits)
    return text(best, "Display", limits, "NBest[0].")


def _words(best: JsonObject, limits: Limits, oddities: list[InputOddity]) -> tuple[LabelledWord, ...]:
    words = []
    for index, word in enumerate(word_records(best, "Words", limits, "NBest[0].")):
        prefix = f"NBest[0].Words[{index}]."
        start = instant(word, "Offset", prefix, per_second=TICKS)
        length = instant(word, "Duration", prefix, per_second=TICKS)
        end = None if start is None or length is None else start + length
        sure = confidence(word, "Confidence", oddities, prefix)
        words.append(LabelledWord(Word(text(word, "Word", limits, prefix), start, end, sure)))
    return tuple(words)


def _channel(message: JsonObject) -> str | None:
    channel: Any = message.get("Channel")
    if channel is not None and type(channel) is not int:
        raise MalformedRecord("wrong_type", "Channel")
    return None if channel is None else str(channel)


def _language(message: JsonObject, limits: Limits) -> str | None:
    if message.get("PrimaryLanguage") is None:
        return None
    return label(child(message, "PrimaryLanguage"), "Language", limits, "PrimaryLanguage.")
