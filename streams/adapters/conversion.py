"""From a record that a recogniser wrote to segments: what all recognisers have in common."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final

from streams.adapters.delivery import Circumstances, Delivery, circumstances
from streams.adapters.registry import ADAPTERS, Format
from streams.adapters.result import LabelledWord, Result, SessionEnded
from streams.decoding import CALL_ENDED, Ignored, call_ended
from streams.fields import InputOddity, Limits, MalformedRecord, parse
from streams.messages import CallEnded, Recogniser, Segment, Speaker, Word

LANES: Final = 64
"""Sequences of one millisecond: 16 channels, each with 4 speakers that the producer may name."""

_CHANNELS: Final = 16
_SPEAKER_LANES: Final[Mapping[Speaker | None, int]] = {"patient": 1, "clinician": 2, "agent": 3}
_NUMBER_AT_END: Final = re.compile(r"[0-9]{1,4}$")
_DIGITS: Final = 6
"""Decimal places of times: sums of seconds have noise beyond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecogniserFormat:
    """How a recogniser's messages are read.

    Attributes:
        name: Which recogniser's.
        channels: Who speaks on each audio channel, by the recogniser's name for it.
        labels: Who the speakers are that the recogniser tells apart, by its name for them.
        language: The language of messages that do not say.
        model: The model of messages that do not say.
        tenant: The tenant of records whose headers do not say.
        sessions_end_calls: Whether a recogniser's session that ends is a call that ends.
    """

    name: Format
    channels: Mapping[str, Speaker] = field(default_factory=dict)
    labels: Mapping[str, Speaker] = field(default_factory=dict)
    language: str | None = None
    model: str | None = None
    tenant: str | None = None
    sessions_end_calls: bool = True


@dataclass(frozen=True, slots=True)
class Converted:
    """What became of a record: messages, or the reason why it says nothing; and what was odd with it."""

    messages: tuple[Segment | CallEnded, ...] | Ignored
    oddities: tuple[InputOddity, ...] = ()


def convert(value: bytes | None, delivery: Delivery, format_: RecogniserFormat, limits: Limits) -> Converted:
    """Reads a record of a recogniser's topic, or one line of its recorded messages.

    A topic of any recogniser may also hold Auscult's own message that a call has ended.

    Args:
        value: JSON in UTF-8; None is a tombstone.
        delivery: The record's key and headers.
        format_: How it is read.
        limits: The largest input that is read.

    Raises:
        MalformedRecord: it cannot be read. Names the adapter.
    """
    if value is None:
        return Converted(Ignored("tombstone"))
    try:
        return _convert(value, delivery, format_, limits)
    except MalformedRecord as error:
        raise MalformedRecord(error.kind, error.place, format_.name) from None


def _convert(value: bytes, delivery: Delivery, format_: RecogniserFormat, limits: Limits) -> Converted:
    message = parse(value, limits)
    if message.get("type") == CALL_ENDED:
        return Converted((call_ended(message, limits),))
    oddities: list[InputOddity] = []
    outcome = ADAPTERS[format_.name](message, limits, oddities)
    if isinstance(outcome, SessionEnded) and not format_.sessions_end_calls:
        outcome = Ignored("control_message")
    if isinstance(outcome, Ignored):
        return Converted(outcome)
    known = circumstances(delivery, limits, oddities)
    if isinstance(outcome, SessionEnded):
        return Converted((CallEnded(call_id=known.call_id),))
    segments = tuple(_segments(outcome, known, format_, oddities))
    return Converted(segments, tuple(dict.fromkeys(oddities)))


def _segments(
    results: Sequence[Result], known: Circumstances, format_: RecogniserFormat, oddities: list[InputOddity]
) -> Iterator[Segment]:
    taken: set[int] = set()
    for result in results:
        for part in _by_speaker(result):
            sequence = _sequence(part, known)
            while sequence in taken:
                sequence += LANES
            taken.add(sequence)
            yield _segment(part, sequence, known, format_, oddities)


def _segment(
    result: Result,
    sequence: int,
    known: Circumstances,
    format_: RecogniserFormat,
    oddities: list[InputOddity],
) -> Segment:
    words = tuple(_moved(labelled.word, known.stream_start) for labelled in result.words)
    start, end = _spoken(words) or (
        _later(result.start, known.stream_start),
        _later(result.end, known.stream_start),
    )
    return Segment(
        call_id=known.call_id,
        sequence=sequence,
        speaker=_speaker(result, known, format_, oddities),
        text=result.text,
        start=start,
        end=end,
        confidence=result.confidence,
        words=words,
        end_of_turn=result.end_of_turn,
        speech_seconds=result.speech_seconds,
        language=result.language or format_.language,
        asr=Recogniser(format_.name, result.model or format_.model),
        tenant=known.tenant or format_.tenant,
    )


def _spoken(words: Sequence[Word]) -> tuple[float, float] | None:
    """From the first word to the last, if they have times: a result may begin and end with silence."""
    spans = [(word.start, word.end) for word in words if word.start is not None and word.end is not None]
    if not words or len(spans) < len(words):
        return None
    return min(start for start, _ in spans), max(end for _, end in spans)


def _sequence(result: Result, known: Circumstances) -> int:
    """The millisecond in which a result ends, and its channel and named speaker: those may end at once.

    It comes from the record alone, so that a record that is read or sent again gives the same.
    """
    number = _NUMBER_AT_END.search(result.channel or "")
    channel = min(int(number[0]), _CHANNELS - 1) if number else 0
    milliseconds = round((known.stream_start + result.end) * 1_000)
    return milliseconds * LANES + channel * (LANES // _CHANNELS) + _SPEAKER_LANES.get(known.speaker, 0)


def _speaker(
    result: Result, known: Circumstances, format_: RecogniserFormat, oddities: list[InputOddity]
) -> Speaker:
    speaker = known.speaker
    if speaker is None and result.label is not None:
        speaker = format_.labels.get(result.label)
    if speaker is None and result.channel is not None:
        speaker = format_.channels.get(result.channel)
    if speaker is None:
        oddities.append("unlisted_speaker")
        return "unknown"
    return speaker


def _by_speaker(result: Result) -> Iterator[Result]:
    """A result for each run of words of one speaker; the result as it is where its words name one or none."""
    words = _named_throughout(result.words)
    labels = {word.label for word in words}
    if len(labels) < 2 or any(word.word.end is None for word in words):
        only = labels.pop() if len(labels) == 1 else None
        yield replace(result, label=only or result.label)
        return
    runs = [tuple(run) for _, run in groupby(words, key=lambda word: word.label)]
    for run in runs:
        last = run is runs[-1]
        yield replace(
            result,
            text=" ".join(word.word.text for word in run),
            end=run[-1].word.end or 0.0,
            confidence=None,
            words=run,
            label=run[0].label,
            end_of_turn=result.end_of_turn if last else True,
        )


def _named_throughout(words: Sequence[LabelledWord]) -> list[LabelledWord]:
    """The words, those without a label with the label of the word before; the first ones with the first label."""
    named: list[LabelledWord] = []
    label = next((word.label for word in words if word.label is not None), None)
    for word in words:
        label = word.label or label
        named.append(LabelledWord(word.word, label))
    return named


def _moved(word: Word, stream_start: float) -> Word:
    start, end = _later(word.start, stream_start), _later(word.end, stream_start)
    return Word(word.text, start, end, word.confidence)


def _later(time: float | None, stream_start: float) -> float | None:
    return None if time is None else round(stream_start + time, _DIGITS)
