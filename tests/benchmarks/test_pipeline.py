import pytest

from benchmarks.monitors import FIVE_SIGNALS, ModelsFailed, Timing, measured_monitor, observed
from benchmarks.pipeline import measure, traffic
from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from models.interfaces import ModelFailure, ScoreRequest, TokenScores
from service.composition import Models
from service.monitor_settings import MonitorSettings
from tests.benchmarks.calls import invented_call
from tests.service.moments import LEXICON

CALLS = [invented_call(name, 30) for name in "abc"]
MODELS = Models(FakeLanguageModel(), LEXICON, FakeEmbedder(), FakeContradictionClassifier())


class BrokenLanguageModel(FakeLanguageModel):
    def score(self, requests: list[ScoreRequest]) -> list[TokenScores]:  # type: ignore[override]
        raise ModelFailure("out of memory")


def test_every_segment_is_measured_and_the_time_is_that_of_models_and_python() -> None:
    timing = Timing()
    monitor = measured_monitor(MonitorSettings(), MODELS, timing, FIVE_SIGNALS)
    cost = measure(monitor, timing, traffic(CALLS, 4, 50, "arm/"), "five", poll=8)
    assert (cost.segments, cost.poll) == (50, 8)
    assert cost.items["language_model"] >= 1.0
    assert cost.cpu_ms == pytest.approx(cost.python_cpu_ms + sum(cost.models_cpu_ms.values()), abs=0.01)
    assert 0.0 < cost.python_share <= 1.0


def test_arms_are_given_the_same_moments_under_other_names() -> None:
    one, other = (traffic(CALLS, 4, 50, arm) for arm in ("x/", "y/"))
    for part in ("past", "warm", "measured"):
        names = [[message.call_id for message in getattr(given, part)] for given in (one, other)]
        assert [name.removeprefix("x/") for name in names[0]] == [
            name.removeprefix("y/") for name in names[1]
        ]
        assert not set(names[0]) & set(names[1])


def test_a_model_that_fails_ends_the_measurement() -> None:
    broken = Models(BrokenLanguageModel(), LEXICON, FakeEmbedder(), None)  # type: ignore[arg-type]
    monitor = measured_monitor(MonitorSettings(), broken, Timing())
    with pytest.raises(ModelsFailed):
        observed(monitor, CALLS[0][:4])
