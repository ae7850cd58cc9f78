"""The whole pipeline beside the simple forms: the same readings, the same segments, and a ratio of what they took."""

import pytest

from benchmarks.monitors import Timing, measured_monitor
from benchmarks.published_forms import PublishedForms
from benchmarks.simple_forms import BLOCK, JOINED_AFTER, run
from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from service.composition import Models
from service.monitor_settings import MonitorSettings
from streams.messages import Segment
from tests.benchmarks.calls import invented_call
from tests.service.moments import LEXICON

FORMS = ("perplexity", "entity_validity", "contradiction", "embedding_drift", "speech_rate")
SAID = (
    "do you have any chest pain",
    "no i have no pain in my chest",
    "okay",
    "i do have chest pain when i run",
    "and do you take paracetamol or flubocillin",
)


def opened() -> Models:
    return Models(FakeLanguageModel(), LEXICON, FakeEmbedder(), FakeContradictionClassifier())


def consultation() -> list[Segment]:
    return [
        Segment(
            call_id="call",
            sequence=number,
            speaker="patient" if number % 2 else "clinician",
            text=text,
            start=4.0 * number,
            end=4.0 * number + 3.0,
        )
        for number, text in enumerate(SAID)
    ]


@pytest.mark.parametrize("poll", [1, len(SAID)])
def test_the_simple_forms_read_what_the_service_says_of_them(poll: int) -> None:
    forms = PublishedForms(MonitorSettings(), opened(), Timing())
    monitor = measured_monitor(MonitorSettings(), opened(), Timing())
    said = consultation()
    for start in range(0, len(said), poll):
        batch = said[start : start + poll]
        for assessment, readings in zip(
            monitor.observe(batch, 0.0).assessments, forms.observe(batch), strict=True
        ):
            for form in FORMS:
                name = f"{form}_simple"
                expected = assessment.signals[name]
                if expected.value is not None:
                    assert readings[name].value == pytest.approx(expected.value), name
                    assert readings[name].score == pytest.approx(expected.score), name


def test_what_was_heard_before_joining_can_be_contradicted() -> None:
    forms = PublishedForms(MonitorSettings(), opened(), Timing())
    said = consultation()
    forms.listen(said[:3])
    (readings,) = forms.observe(said[3:4])
    assert readings["contradiction_simple"].value == 1.0


def test_each_segment_is_scored_once_and_embedded_once() -> None:
    timing = Timing()
    forms = PublishedForms(MonitorSettings(), opened(), timing)
    for segment in consultation():
        forms.observe([segment])
    assert timing.models["language_model"].items == len(SAID)
    assert timing.models["embedding"].items == len(SAID)


def test_every_poll_size_is_measured_on_whole_blocks() -> None:
    calls = [invented_call(name, JOINED_AFTER + 2 * BLOCK) for name in "abc"]
    rows = list(run(MonitorSettings(), opened, calls, BLOCK + 1, (4, 64)))
    assert [(row["poll"], row["segments"]) for row in rows] == [(4, 2 * BLOCK), (64, 2 * BLOCK)]
    for row in rows:
        assert row["cpu_ratio"] == pytest.approx(row["whole"]["cpu_ms"] / row["simple"]["cpu_ms"], rel=0.05)
        assert row["whole"]["python_cpu_ms"] < row["whole"]["cpu_ms"]
