"""Whisper's `verbose_json`: all segments of a piece of audio in one message; times in seconds.

OpenAI's API gives words beside the segments; whisper, faster-whisper and WhisperX give them within, the last with
the speaker of each.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from streams.adapters.result import LabelledWord, Outcome, Result
from streams.adapters.times import instant, ordered, required_instant
from streams.decoding import Ignored
from streams.fields import (
    InputOddity,
    JsonObject,
    Limits,
    MalformedRecord,
    children,
    confidence,
    label,
    number,
    required,
    text,
    word_records,
)
from streams.messages import Word

LANGUAGE_CODES: Final[Mapping[str, str]] = {
    "chinese": "zh",
    "dutch": "nl",
    "english": "en",
    "french": "fr",
    "german": "de",
    "italian": "it",
    "japanese": "ja",
    "polish": "pl",
    "portuguese": "pt",
    "spanish": "es",
}
"""OpenAI's API writes languages as English words. Others than these stay as they are."""


def read_whisper(message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
    """Reads a transcription. A segment's confidence is the exponential of its mean log probability."""
    required(message, "segments")
    segments = children(message, "segments")
    named = label(message, "language", limits)
    language = None if named is None else LANGUAGE_CODES.get(named.lower(), named)
    beside = _Beside(
        [
            _word(word, f"words[{index}].", limits, oddities)
            for index, word in enumerate(children(message, "words"))
        ]
    )
    read = [
        _result(segment, f"segments[{index}].", language, beside, limits, oddities)
        for index, segment in enumerate(segments)
    ]
    return [result for result in read if result.text] or Ignored("no_words")


class _Beside:
    """Words that are given beside the segments, in order of time: each segment takes those up to its end."""

    def __init__(self, words: Sequence[LabelledWord]) -> None:
        self._left: Iterator[LabelledWord] = iter(words)
        self._next = next(self._left, None)

    def until(self, end: float) -> Iterator[LabelledWord]:
        while self._next is not None and _middle(self._next.word) <= end:
            yield self._next
            self._next = next(self._left, None)


def _middle(word: Word) -> float:
    times = [time for time in (word.start, word.end) if time is not None]
    return sum(times) / len(times) if times else 0.0


def _result(
    segment: JsonObject,
    prefix: str,
    language: str | None,
    beside: _Beside,
    limits: Limits,
    oddities: list[InputOddity],
) -> Result:
    start, end = required_instant(segment, "start", prefix), required_instant(segment, "end", prefix)
    ordered(start, end, f"{prefix}end")
    within = [
        _word(word, f"{prefix}words[{index}].", limits, oddities)
        for index, word in enumerate(word_records(segment, "words", limits, prefix))
    ]
    words = within or list(beside.until(end))
    if len(words) > limits.words:
        raise MalformedRecord("too_many_words", "words")
    return Result(
        text=text(segment, "text", limits, prefix).strip(),
        start=start,
        end=end,
        confidence=_probability(number(segment, "avg_logprob", prefix)),
        words=tuple(words),
        label=label(segment, "speaker", limits, prefix),
        language=language,
    )


def _probability(mean_log_probability: float | None) -> float | None:
    return None if mean_log_probability is None else round(math.exp(min(0.0, mean_log_probability)), 6)


def _word(word: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> LabelledWord:
    start, end = ordered(instant(word, "start", prefix), instant(word, "end", prefix), f"{prefix}end")
    # whisper and faster-whisper say `probability`, WhisperX `score`, OpenAI's API nothing.
    sure = "probability" if "probability" in word else "score"
    return LabelledWord(
        Word(
            text(word, "word", limits, prefix).strip(), start, end, confidence(word, sure, oddities, prefix)
        ),
        label(word, "speaker", limits, prefix),
    )
