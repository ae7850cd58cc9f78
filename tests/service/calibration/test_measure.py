"""Labelled stretches and clean calls through the monitor, on stand-ins for the models."""

from collections.abc import Sequence

import pytest

from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from service.calibration.labelled import Item
from service.calibration.measure import (
    ITEMS_PER_POLL,
    assess_call,
    assess_stretches,
    measure_clean_calls,
    measure_items,
)
from service.composition import Models, monitor_with
from service.monitor import Monitor
from service.monitor_settings import MonitorSettings
from streams.messages import Segment
from tests.service.moments import LEXICON


@pytest.fixture
def monitor() -> Monitor:
    models = Models(FakeLanguageModel(), LEXICON, FakeEmbedder(), FakeContradictionClassifier())
    return monitor_with(MonitorSettings(), models)


def spoken(call: str, sequences: Sequence[int]) -> tuple[Segment, ...]:
    return tuple(
        Segment(call_id=call, sequence=at, speaker="patient", text=f"I sleep {at} hours") for at in sequences
    )


def item(number: int, after: int = 0, impact: int | None = None) -> Item:
    call = f"visit~{number}"
    return Item("visit", spoken(call, range(4)), 1.0, "any", spoken(call, range(4, 4 + after)), impact=impact)


def test_each_stretch_gives_its_labelled_segment_and_those_after_it(monitor: Monitor) -> None:
    items = [item(number, after=number % 3) for number in range(ITEMS_PER_POLL + 3)]

    assessed = list(assess_stretches(items, monitor))

    assert [[one.segment.sequence for one in stretch] for stretch in assessed] == [
        list(range(3, 4 + number % 3)) for number in range(ITEMS_PER_POLL + 3)
    ]
    assert [stretch[0].segment.call_id for stretch in assessed] == [one.segments[-1].call_id for one in items]
    assert monitor.open_calls == 0


def test_a_stretch_is_assessed_as_the_end_of_its_call(monitor: Monitor) -> None:
    *_, last = assess_call(spoken("visit~0", range(4)), monitor)

    ((stretch,),) = assess_stretches([item(0)], monitor)

    assert stretch.features == last.features
    assert monitor.open_calls == 0


def test_examples_say_who_labelled_them(monitor: Monitor) -> None:
    judged, injected = measure_items([item(0, impact=2), item(1, after=2)], monitor)
    clean = list(measure_clean_calls({"visit": spoken("visit", range(3))}, monitor))

    assert (judged.kind, injected.kind) == ("impact", "injected")
    assert [(one.call_id, one.kind, one.harmful) for one in clean] == [("visit", "clean", 0.0)] * 3
    assert judged.call_id == "visit"
