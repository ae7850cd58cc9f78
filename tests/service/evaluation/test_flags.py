"""Replayed flags against the monitor's own, over calls of invented people."""

from collections.abc import Sequence

import pytest

from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from service.composition import Models, monitor_with
from service.evaluation.flags import flags_of
from service.evaluation.forms import segments_in
from service.evaluation.labels import Labels
from service.evaluation.measured import Measured, measure_all
from service.evaluation.signal_record import SignalRecord
from service.monitor_settings import MonitorSettings
from service.risk import FeatureWeight, RiskModel, RiskWeights
from streams.messages import Segment
from tests.service.evaluation.studies import IDENTITY
from tests.service.moments import LEXICON

SETTINGS = MonitorSettings()
MODELS = Models(FakeLanguageModel(), LEXICON, FakeEmbedder(), FakeContradictionClassifier())

LINES = (
    ("clinician", "Good morning, Mrs Odhiambo. Any fever, or a headache?"),
    ("patient", "No fever, no headache."),
    ("clinician", "What do you take for it?"),
    ("patient", "I take hydralazine for the itch, 400 mg twice a day."),
    ("patient", "Thank you for watching, please subscribe."),
    ("clinician", "So you take 50 mg, and you've had the headache and the fever?"),
    ("patient", "Yes, the fever and"),
    ("clinician", "Are you allergic to anything?"),
    ("clinician", "All right. Where is the pain?"),
    ("patient", "My my my my my my my my my my my my break."),
)


def alerting(line: float) -> RiskModel:
    """Risk that varies with the length of what was said."""
    part = FeatureWeight(weight=2.0, center=2.0, scale=1.0, low=0.0, high=9.0)
    weights = RiskWeights(intercept=0.0, features={"log_tokens": part}, fitted_on={}, alert_risk=line)
    return RiskModel(weights)


@pytest.fixture(scope="module")
def call() -> list[Segment]:
    return [
        Segment(
            call_id="visit",
            sequence=at,
            speaker="patient" if speaker == "patient" else "clinician",
            text=text,
            start=8.0 * at,
            end=8.0 * at + 6.0,
        )
        for at, (speaker, text) in enumerate(LINES * 2)
    ]


@pytest.fixture(scope="module")
def measured(call: Sequence[Segment]) -> Measured:
    record = SignalRecord()
    monitor = monitor_with(SETTINGS, MODELS, prepare=record.of)
    return measure_all(Labels(calls={"visit": call}), monitor, record, lambda _: None)


@pytest.mark.parametrize("model", [IDENTITY, alerting(0.1), alerting(0.6), alerting(0.9)])
def test_replayed_flags_are_those_of_the_monitor(
    call: Sequence[Segment], measured: Measured, model: RiskModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.composition.load_risk_model", lambda _: model)
    observation = monitor_with(SETTINGS, MODELS).observe(segments_in("bare", call), now=0.0)
    own = [[(flag.id, flag.severity) for flag in one.flags] for one in observation.assessments]

    replayed = flags_of(call, measured.calls["bare"]["visit"], model, SETTINGS.flags)

    assert [[(flag.id, flag.severity) for flag in flags] for flags in replayed] == own
    assert sum(map(len, own)) > 3


def test_the_calls_raise_alerts_and_other_flags(call: Sequence[Segment], measured: Measured) -> None:
    flags = flags_of(call, measured.calls["given"]["visit"], alerting(0.6), SETTINGS.flags)

    types = {flag.type for one in flags for flag in one}
    assert "likely_misheard" in types
    assert len(types) > 2


def test_what_was_measured_holds_no_words(measured: Measured) -> None:
    assert "hydralazine" not in repr(measured)
    assert "watching" not in repr(measured)
