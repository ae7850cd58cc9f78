"""Google Speech-to-Text v2, streaming: `StreamingRecognizeResponse` as JSON; times such as `1.200s`.

Field names are read as protocol buffers' JSON writes them (`isFinal`) and in their original form (`is_final`).
"""

import re
from typing import Any, Final

from streams.adapters.result import LabelledWord, Outcome, Result
from streams.adapters.times import duration, ordered
from streams.decoding import Ignored
from streams.fields import (
    InputOddity,
    JsonObject,
    Limits,
    MalformedRecord,
    boolean,
    children,
    confidence,
    label,
    text,
    word_records,
)
from streams.messages import Word

_CAPITAL: Final = re.compile(r"[A-Z]")
_OTHER_FIELDS: Final = ("metadata", "speechEventType", "speechEventOffset")


def read_google(message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
    """Reads a response: a voice activity event, or one final result at most and interim ones after it."""
    found = children(message, "results")
    if not found:
        if "results" in message or any(_name(message, other) in message for other in _OTHER_FIELDS):
            return Ignored("control_message")
        raise MalformedRecord("missing_field", "results")
    places = [f"results[{index}]." for index in range(len(found))]
    final = [(result, place) for result, place in zip(found, places, strict=True) if _is_final(result, place)]
    if not final:
        return Ignored("non_final")
    read = [_result(result, place, limits, oddities) for result, place in final]
    return [result for result in read if result is not None and result.text] or Ignored("no_words")


def _is_final(result: JsonObject, prefix: str) -> bool:
    # What is false is left out.
    return boolean(result, _name(result, "isFinal"), prefix) is True


def _result(result: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> Result | None:
    alternatives = children(result, "alternatives", prefix)
    if not alternatives:
        return None
    best, place = alternatives[0], f"{prefix}alternatives[0]."
    end_name = _name(result, "resultEndOffset")
    end = duration(result, end_name, limits, prefix)
    if end is None:
        raise MalformedRecord("missing_field", f"{prefix}{end_name}")
    transcript = text(best, "transcript", limits, place).strip()
    words = tuple(
        _word(word, f"{place}words[{index}].", limits, oddities)
        for index, word in enumerate(word_records(best, "words", limits, place))
    )
    return Result(
        text=transcript,
        end=end,
        confidence=_confidence(best, oddities, place),
        words=_own_words(words, transcript),
        channel=_channel(result, prefix),
        language=label(result, _name(result, "languageCode"), limits, prefix) or None,
    )


def _word(word: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> LabelledWord:
    start_name, end_name = _name(word, "startOffset"), _name(word, "endOffset")
    start, end = duration(word, start_name, limits, prefix), duration(word, end_name, limits, prefix)
    if start is None and end is not None:
        start = 0.0  # both are set or neither, and what is zero may be left out
    ordered(start, end, f"{prefix}{end_name}")
    return LabelledWord(
        Word(text(word, "word", limits, prefix), start, end, _confidence(word, oddities, prefix)),
        label(word, _name(word, "speakerLabel"), limits, prefix) or None,
    )


def _own_words(words: tuple[LabelledWord, ...], transcript: str) -> tuple[LabelledWord, ...]:
    """Where speakers are told apart, the words of everything before come again: a result's own are the last."""
    if any(word.label is not None for word in words):
        return words[-len(transcript.split()) :]
    return words


def _confidence(record: JsonObject, oddities: list[InputOddity], prefix: str) -> float | None:
    # 0.0 is documented to mean that there is none.
    return confidence(record, "confidence", oddities, prefix) or None


def _channel(result: JsonObject, prefix: str) -> str | None:
    """Channels count from 1; 0 is the value of a field that is not set."""
    name = _name(result, "channelTag")
    tag: Any = result.get(name)
    if tag is not None and type(tag) is not int:
        raise MalformedRecord("wrong_type", f"{prefix}{name}")
    return str(tag) if tag else None


def _name(record: JsonObject, name: str) -> str:
    """The name under which a field is there; the JSON name if it is not."""
    if name in record:
        return name
    original = _CAPITAL.sub(lambda capital: "_" + capital[0].lower(), name)
    return original if original in record else name
