"""Amazon Transcribe and Transcribe Medical, streaming: `TranscriptEvent`; times in seconds."""

from streams.adapters.result import LabelledWord, Outcome, Result
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


def read_aws(message: JsonObject, limits: Limits, oddities: list[InputOddity]) -> Outcome:
    """Reads an event, with or without the name that the SDKs wrap it in. An event without results is news."""
    prefix = "TranscriptEvent." if "TranscriptEvent" in message else ""
    event = child(message, "TranscriptEvent") if prefix else message
    transcript = child(event, "Transcript", prefix)
    prefix += "Transcript."
    required(transcript, "Results", prefix)
    found = children(transcript, "Results", prefix)
    if not found:
        return Ignored("control_message")
    complete = [
        (result, f"{prefix}Results[{index}].")
        for index, result in enumerate(found)
        if not _is_partial(result, f"{prefix}Results[{index}].")
    ]
    if not complete:
        return Ignored("non_final")
    read = [_result(result, place, limits, oddities) for result, place in complete]
    return [result for result in read if result is not None and result.text] or Ignored("no_words")


def _is_partial(result: JsonObject, prefix: str) -> bool:
    required(result, "IsPartial", prefix)
    return boolean(result, "IsPartial", prefix) is not False


def _result(result: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]) -> Result | None:
    required(result, "Alternatives", prefix)
    alternatives = children(result, "Alternatives", prefix)
    if not alternatives:
        return None
    best, place = alternatives[0], f"{prefix}Alternatives[0]."
    start, end = instant(result, "StartTime", prefix), required_instant(result, "EndTime", prefix)
    ordered(start, end, f"{prefix}EndTime")
    return Result(
        text=text(best, "Transcript", limits, place),
        start=start,
        end=end,
        words=_words(best, place, limits, oddities),
        channel=label(result, "ChannelId", limits, prefix),
        # A result is complete at a pause or when the speaker changes.
        end_of_turn=True,
        language=label(result, "LanguageCode", limits, prefix),
    )


def _words(
    alternative: JsonObject, prefix: str, limits: Limits, oddities: list[InputOddity]
) -> tuple[LabelledWord, ...]:
    """Items as words; a punctuation mark is an item too and is put to the word before it."""
    words: list[LabelledWord] = []
    for index, item in enumerate(word_records(alternative, "Items", limits, prefix)):
        place = f"{prefix}Items[{index}]."
        content = text(item, "Content", limits, place)
        kind = label(item, "Type", limits, place)
        if kind not in {"pronunciation", "punctuation", None}:
            raise MalformedRecord("unknown_message", f"{place}Type")
        start, end = ordered(
            instant(item, "StartTime", place), instant(item, "EndTime", place), f"{place}EndTime"
        )
        sure = confidence(item, "Confidence", oddities, place)
        speaker = label(item, "Speaker", limits, place)
        if kind == "punctuation":
            if words:
                before = words[-1]
                said = before.word
                words[-1] = LabelledWord(
                    Word(said.text + content, said.start, said.end, said.confidence), before.label
                )
            continue
        words.append(LabelledWord(Word(content, start, end, sure), speaker))
    return tuple(words)
