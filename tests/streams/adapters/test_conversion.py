"""What all recognisers' messages have in common: call, speaker, order, times, and the ends of calls."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.adapters.conversion import LANES, Converted, RecogniserFormat, convert
from streams.adapters.delivery import Delivery
from streams.decoding import Ignored
from streams.fields import Limits, MalformedRecord
from streams.messages import CallEnded, Segment

CANARY = "xylocanary"
ROLES = RecogniserFormat(name="deepgram", channels={"0": "clinician", "1": "patient"})
DIARISED = RecogniserFormat(name="deepgram", labels={"0": "clinician", "1": "patient"})


def result(start: float = 0.0, duration: float = 1.0, channel: int = 0, **best: Any) -> bytes:
    alternative = {"transcript": "no fever", "confidence": 0.9, "words": []} | best
    return orjson.dumps(
        {
            "type": "Results",
            "channel_index": [channel, 2],
            "start": start,
            "duration": duration,
            "is_final": True,
            "speech_final": True,
            "channel": {"alternatives": [alternative]},
        }
    )


def word(text: str, start: float, end: float, speaker: int | None = None) -> dict[str, Any]:
    return {"word": text, "start": start, "end": end, "confidence": 0.9, "speaker": speaker}


def read(
    value: bytes,
    format_: RecogniserFormat = ROLES,
    key: bytes | None = b"c1",
    headers: Mapping[str, bytes] = MappingProxyType({}),
) -> Converted:
    named = [(f"auscult-{name.replace('_', '-')}", header) for name, header in headers.items()]
    return convert(value, Delivery(key, named), format_, Limits())


def segments(value: bytes, format_: RecogniserFormat = ROLES, **headers: bytes) -> list[Segment]:
    messages = read(value, format_, headers=headers).messages
    assert not isinstance(messages, Ignored)
    return [message for message in messages if isinstance(message, Segment)]


def refuse(value: bytes, key: bytes | None = b"c1", **headers: bytes) -> tuple[str, str]:
    with pytest.raises(MalformedRecord) as caught:
        read(value, key=key, headers=headers)
    assert caught.value.adapter == "deepgram"
    assert CANARY not in str(caught.value)
    return caught.value.kind, caught.value.place


def test_the_call_is_named_by_the_key_or_by_a_header() -> None:
    assert segments(result())[0].call_id == "c1"
    assert segments(result(), call_id=b"c2")[0].call_id == "c2"


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (None, "missing_call_id"),
        (b"", "missing_call_id"),
        (b"\xff" + CANARY.encode(), "invalid_call_id"),
        (CANARY.encode() * 50, "invalid_call_id"),
        (CANARY.encode() + b"\n", "invalid_call_id"),
    ],
)
def test_a_result_without_a_call_is_refused(key: bytes | None, kind: str) -> None:
    assert refuse(result(), key=key) == (kind, "key")


def test_what_says_nothing_needs_no_call() -> None:
    assert read(b'{"type": "SpeechStarted", "channel": [0], "timestamp": 1.5}', key=None).messages == Ignored(
        "control_message"
    )


def test_a_tombstone_is_ignored() -> None:
    assert convert(None, Delivery(b"c1"), ROLES, Limits()).messages == Ignored("tombstone")


def test_the_header_names_the_speaker_before_label_and_channel() -> None:
    spoken = result(words=[word("no", 0.1, 0.3, 1), word("fever", 0.3, 0.6, 1)])
    both = RecogniserFormat(name="deepgram", channels={"0": "clinician"}, labels={"1": "patient"})
    assert segments(spoken, both, speaker=b"agent")[0].speaker == "agent"
    assert segments(spoken, both)[0].speaker == "patient"
    assert segments(spoken)[0].speaker == "clinician"


def test_a_speaker_that_nothing_names_is_unknown_and_counted() -> None:
    for converted in (read(result(channel=2)), read(result(), headers={"speaker": b"nurse"})):
        assert not isinstance(converted.messages, Ignored)
        (segment,) = converted.messages
        assert isinstance(segment, Segment)
        assert segment.speaker == "unknown"
        assert converted.oddities == ("unlisted_speaker",)


def test_a_result_of_several_speakers_is_a_segment_for_each_run_of_words() -> None:
    words = [
        word("any", 0, 1, 0),
        word("fever", 1, 2, 0),
        word("no", 3, 4, 1),
        word("and", 4, 5),
        word("good", 5, 6, 0),
    ]
    said = segments(result(duration=6.0, words=words), DIARISED)
    assert [(each.speaker, each.text) for each in said] == [
        ("clinician", "any fever"),
        ("patient", "no and"),
        ("clinician", "good"),
    ]
    assert [(each.start, each.end) for each in said] == [(0.0, 2.0), (3.0, 5.0), (5.0, 6.0)]
    assert [each.confidence for each in said] == [None] * 3
    assert sorted(each.sequence for each in said) == [each.sequence for each in said]


def test_a_result_whose_words_have_no_times_is_not_divided() -> None:
    words = [{"word": "yes", "speaker": 0}, {"word": "no", "speaker": 1}]
    (segment,) = segments(result(transcript="yes no", words=words), DIARISED)
    assert (segment.text, segment.speaker) == ("yes no", "unknown")


def test_a_segment_lasts_from_its_first_word_to_its_last() -> None:
    (segment,) = segments(
        result(start=10.0, duration=5.0, words=[word("no", 12.1, 12.4), word("fever", 12.4, 13.0)])
    )
    assert (segment.start, segment.end) == (12.1, 13.0)
    (segment,) = segments(result(start=10.0, duration=5.0))
    assert (segment.start, segment.end) == (10.0, 15.0)


def test_a_stream_that_begins_later_in_the_call_moves_every_time() -> None:
    value = result(words=[word("no", 0.1, 0.5), word("fever", 0.5, 0.9)])
    (segment,) = segments(value, stream_start=b"290.5")
    assert (segment.start, segment.end) == (290.6, 291.4)
    assert [(each.start, each.end) for each in segment.words] == [(290.6, 291.0), (291.0, 291.4)]
    (restarted,) = segments(value)
    assert segment.sequence - restarted.sequence == 290_500 * LANES


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (CANARY.encode(), "wrong_type"),
        (b"-1", "negative_time"),
        (b"nan", "not_finite"),
        (b"1e9", "time_too_large"),
    ],
)
def test_a_stream_start_that_is_no_time_is_refused(header: bytes, kind: str) -> None:
    assert refuse(result(), stream_start=header) == (kind, "header auscult-stream-start")


def test_a_header_that_is_no_text_or_too_long_is_refused() -> None:
    assert refuse(result(), tenant=b"\xff") == ("wrong_type", "header auscult-tenant")
    assert refuse(result(), tenant=CANARY.encode() * 50) == ("field_too_long", "header auscult-tenant")


def test_what_messages_do_not_say_is_taken_from_the_settings() -> None:
    format_ = RecogniserFormat(name="deepgram", language="en-GB", model="own", tenant="north")
    (segment,) = segments(result(), format_)
    assert (segment.language, segment.asr.provider, segment.asr.model) == ("en-GB", "deepgram", "own")
    assert segment.tenant == "north"
    assert segments(result(), format_, tenant=b"south")[0].tenant == "south"


def test_results_that_end_at_once_keep_apart() -> None:
    values = [result(), result(channel=1)]
    sequences = {segments(value)[0].sequence for value in values}
    sequences |= {
        segments(result(), speaker=role)[0].sequence for role in (b"patient", b"clinician", b"agent")
    }
    assert len(sequences) == 5


@given(
    ends=st.lists(st.integers(0, 10_000_000), min_size=2, max_size=2, unique=True),
    channels=st.tuples(*[st.integers(0, 15)] * 2),
)
def test_what_ends_later_has_the_larger_sequence(ends: list[int], channels: tuple[int, int]) -> None:
    earlier, later = (
        segments(result(0.0, end / 1000, channel))[0]
        for end, channel in zip(sorted(ends), channels, strict=True)
    )
    assert earlier.sequence < later.sequence


def test_results_of_one_message_that_end_at_once_keep_apart() -> None:
    message = {
        "segments": [{"start": 1.0, "end": 2.0, "text": "one"}, {"start": 2.0, "end": 2.0, "text": "two"}]
    }
    first, second = segments(orjson.dumps(message), RecogniserFormat(name="whisper"))
    assert first.sequence < second.sequence


def test_a_session_that_ends_ends_the_call_unless_the_settings_say_otherwise() -> None:
    last = b'{"type": "Metadata", "request_id": "r", "duration": 1.0, "channels": 1}'
    assert read(last).messages == (CallEnded(call_id="c1"),)
    several = RecogniserFormat(name="deepgram", sessions_end_calls=False)
    assert read(last, several).messages == Ignored("control_message")


def test_the_end_of_a_call_may_be_said_in_auscults_own_way() -> None:
    for format_ in (RecogniserFormat(name="aws"), RecogniserFormat(name="whisper")):
        ended = read(b'{"type": "call.ended", "call_id": "c9"}', format_)
        assert ended.messages == (CallEnded(call_id="c9"),)
    assert refuse(b'{"type": "call.ended"}') == ("missing_call_id", "call_id")


def test_limits_hold_for_recognisers_too() -> None:
    assert refuse(b" " * 600_000) == ("record_too_large", "")
    assert refuse(result(transcript="a" * 10_001))[0] == "text_too_long"
    assert refuse(result(words=[word("no", 0, 1)] * 2_001))[0] == "too_many_words"
    assert refuse(result(duration=1e9)) == ("time_too_large", "duration")
    assert refuse(result(words=[word("no", 1.0, 0.5)])) == (
        "reversed_time",
        "channel.alternatives[0].words[0].end",
    )


def test_a_message_of_an_unknown_kind_is_refused() -> None:
    assert refuse(orjson.dumps({"type": CANARY})) == ("unknown_message", "type")


def test_nothing_shows_the_text() -> None:
    converted = read(result(transcript=CANARY, words=[word(CANARY, 0, 1)]))
    assert CANARY not in repr(converted)
    assert "c1" not in repr(Delivery(b"c1", [("auscult-call-id", b"c1")]))
