"""A call that is handed from replica to replica is assessed as one that stayed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.store import ModelStore
from service.composition import monitor_with, open_models
from service.observation import Observation
from service.settings import ModelSettings, Settings
from streams.decoding import Limits, decode
from streams.messages import Assessment, CallEnded, Segment, Speaker, Word
from tests.service.state.busy_call import segments as busy_segments
from tests.service.state.replicas import observed

_SPOKEN = (
    "any fever",
    "Have you had a cough, or chest pain?",
    "no",
    "Yes, a bit.",
    "no fever at all",
    "i have had a headache for four days",
    "I've had a headache for 2 weeks, it started ago",
    "my left knee hurts",
    "so it's the right knee",
    "i take ibuprofen 400 mg twice a day",
    "So that's ibuprofen, 200 milligrams?",
    "sorry, i mean forty",
    "my break does not help",
    "hydroxyzine",
    "thank you for watching",
    "um",
    "",
    "i feel like vomiting but i",
    "and on and on and on it goes " * 12,
    "über 38 °C, żółć",
)
_EVENTS = ("next",) * 12 + ("repeated", "revised", "late", "ended", "other language", "without times")
_SPEAKERS: tuple[Speaker, ...] = ("patient", "clinician", "patient", "clinician", "agent", "unknown")


@st.composite
def _calls(draw: st.DrawFn) -> list[Segment | CallEnded]:
    """Messages of two calls, with all that may be odd about them."""
    messages: list[Segment | CallEnded] = []
    for at in range(draw(st.integers(1, 30))):
        call_id = draw(st.sampled_from(("a", "a", "b")))
        event = draw(st.sampled_from(_EVENTS))
        segment = _segment(call_id, at, draw(st.sampled_from(_SPEAKERS)), draw(st.sampled_from(_SPOKEN)))
        earlier = [one for one in messages if isinstance(one, Segment) and one.call_id == call_id]
        if event == "ended":
            messages.append(CallEnded(call_id=call_id))
        elif event == "other language":
            messages.append(replace(segment, language="fr"))
        elif event == "without times":
            messages.append(replace(segment, start=None, end=None))
        elif earlier and event in {"repeated", "revised", "late"}:
            known = draw(st.sampled_from(earlier))
            messages.append(_again(known, event, segment))
        else:
            messages.append(segment)
    return messages


def _segment(call_id: str, at: int, speaker: Speaker, text: str) -> Segment:
    start = 5.0 * at + at % 3
    words = tuple(Word(word, start, start + 1.0, 0.3) for word in text.split()) if at % 4 == 0 else ()
    return Segment(
        call_id=call_id,
        sequence=4 * at,
        speaker=speaker,
        text=text,
        start=start,
        end=start + 3.5,
        words=words,
    )


def _again(known: Segment, event: str, new: Segment) -> Segment:
    if event == "repeated":
        return known
    return replace(new, sequence=known.sequence if event == "revised" else known.sequence + 1)


def _assert_same(moved: Sequence[Observation], stayed: Sequence[Observation]) -> None:
    for one, other in zip(moved, stayed, strict=True):
        assert one == other


@settings(max_examples=60, deadline=None)
@given(messages=_calls(), every=st.integers(1, 5))
def test_handed_on_after_every_so_many_segments(messages: list[Segment | CallEnded], every: int) -> None:
    stayed = observed(messages)

    moved = observed(messages, range(every, len(messages), every))

    # What a call that has ended came to stays behind: only an open one moves.
    ended = {message.call_id for message in messages if isinstance(message, CallEnded)}
    _assert_same(
        [_without_summaries_of(ended, one) for one in moved],
        [_without_summaries_of(ended, one) for one in stayed],
    )


def _without_summaries_of(call_ids: set[str], observation: Observation) -> Observation:
    left = tuple(summary for summary in observation.summaries if summary.call_id not in call_ids)
    return replace(observation, summaries=left)


def test_a_call_in_which_everything_happens() -> None:
    messages = busy_segments()

    _assert_same(observed(messages, range(1, len(messages))), observed(messages))


def test_recorded_consultations_handed_on_after_every_segment(shared_data: Path) -> None:
    for file in sorted((shared_data / "primock57").glob("*.jsonl"))[::5]:
        messages = recorded(file)
        _assert_same(observed(messages, range(1, len(messages))), observed(messages))


def test_with_real_models_whose_caches_stay_behind(built_models: ModelStore, shared_data: Path) -> None:
    settings = Settings(models=ModelSettings(store=built_models.root))
    here, there = (monitor_with(settings.monitor, open_models(settings.models)) for _ in range(2))
    messages = recorded(shared_data / "primock57" / "day1_consultation02.jsonl")[:60]

    moved = observed(messages, range(7, len(messages), 7), cycle((there, here)).__next__)
    stayed = observed(messages, (), lambda: here)

    for one, other in zip(_assessments(moved), _assessments(stayed), strict=True):
        assert one.flags == other.flags
        assert one.risk == pytest.approx(other.risk, abs=1e-3)
        assert one.quality == pytest.approx(other.quality, abs=1e-3)


def _assessments(observations: Iterable[Observation]) -> list[Assessment]:
    return [assessment for observation in observations for assessment in observation.assessments]


def recorded(file: Path) -> list[Segment]:
    read = [decode(line, Limits()).message for line in file.read_bytes().splitlines()]
    return [message for message in read if isinstance(message, Segment)]
