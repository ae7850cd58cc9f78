"""Deepgram, live (`/v1/listen`): `Results` messages; times in seconds, speakers by channel or by word."""

from typing import Any, Final

from streams.adapters.result import LabelledWord, Outcome, Result, SessionEnded
from streams.adapters.times import instant, ordered, required_instant
from streams.decoding import Ignored
from streams.fields import (
    InputOddity,
    JsonObject,
    Limits,
    MalformedRecord,
    boolean,
    child,
    children,
    confidence,
    label,
    required,
    text,
    word_records,
)
from streams.messages import Word

_NEWS: Final = frozenset(
    {
        "UtteranceEnd",
        "SpeechStarted",
        "Finalize",
        "KeepAlive",
        "CloseStream",
        "ConfigureSuccess",
        "ConfigureFailure",
        "Warning",
        "Error",
    }
)
"""Messages that hold no transcript."""


def read_deepgram(message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
    """Reads a message. A `Metadata` message is the last of its stream."""
    required(message, "type")
    kind = label(message, "type", limits)
    if kind == "Metadata":
        return SessionEnded()
    if kind in _NEWS:
        return Ignored("control_message")
    if kind != "Results":
        raise MalformedRecord("unknown_message", "type")
    required(message, "is_final")
    if boolean(message, "is_final") is not True:
        return Ignored("non_final")
    channel = child(message, "channel")
    required(channel, "alternatives", "channel.")
    alternatives = children(channel, "alternatives", "channel.")
    if not alternatives:
        return Ignored("no_words")
    result = _result(message, alternatives[0], limits, oddities)
    # While nobody speaks, empty final results come every few seconds.
    return (result,) if result.text else Ignored("no_words")


def _result(message: JsonObject, best: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Result:
    prefix = "channel.alternatives[0]."
    start = required_instant(message, "start")
    return Result(
        text=text(best, "transcript", limits, prefix),
        start=start,
        end=start + required_instant(message, "duration"),
        confidence=confidence(best, "confidence", oddities, prefix),
        words=tuple(
            _word(word, f"{prefix}words[{index}].", limits, oddities)
            for index, word in enumerate(word_records(best, "words", limits, prefix))
        ),
        channel=_channel(message),
        end_of_turn=boolean(message, "speech_final"),
        language=_language(best, prefix, limits),
        model=_model(message, limits),
    )


def _word(word: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> LabelledWord:
    written = "punctuated_word" if word.get("punctuated_word") is not None else "word"
    start, end = ordered(instant(word, "start", prefix), instant(word, "end", prefix), f"{prefix}end")
    return LabelledWord(
        Word(
            text(word, written, limits, prefix), start, end, confidence(word, "confidence", oddities, prefix)
        ),
        _index(word.get("speaker"), f"{prefix}speaker"),
    )


def _channel(message: JsonObject) -> str | None:
    """The first of `[channel, number of channels]`."""
    position = required(message, "channel_index")
    if type(position) is not list:
        raise MalformedRecord("wrong_type", "channel_index")
    return _index(position[0], "channel_index[0]") if position else None


def _index(value: Any, place: str) -> str | None:
    if value is None:
        return None
    if type(value) is not int:
        raise MalformedRecord("wrong_type", place)
    return str(value)


def _language(best: JsonObject, prefix: str, limits: Limits) -> str | None:
    """The language of most of the words, where several are listened for."""
    languages = best.get("languages")
    if not languages:
        return None
    if type(languages) is not list:
        raise MalformedRecord("wrong_type", f"{prefix}languages")
    return label({"languages[0]": languages[0]}, "languages[0]", limits, prefix)


def _model(message: JsonObject, limits: Limits) -> str | None:
    metadata = message.get("metadata")
    if metadata is None:
        return None
    if type(metadata) is not dict:
        raise MalformedRecord("wrong_type", "metadata")
    if metadata.get("model_info") is None:
        return None
    return label(child(metadata, "model_info", "metadata."), "name", limits, "metadata.model_info.")
