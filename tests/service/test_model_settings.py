"""What an operator can set about models reaches the sessions and the language model."""

import pytest

from models.causal.language_model import CausalSettings
from models.session import SessionSettings
from service.composition import open_models
from service.settings import ModelSettings


class Asked(Exception):
    """Ends opening once the question is known."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    seen: dict[str, object] = {}

    def load(
        _store: object, _model: str, session: SessionSettings, _observer: object, **more: object
    ) -> None:
        seen.update(session=session, **more)
        raise Asked

    for name in ("load_language_model", "load_embedder", "load_contradiction_classifier", "load_lexicon"):
        monkeypatch.setattr(f"service.composition.{name}", load)
    monkeypatch.setattr("models.store.ModelStore.path", lambda *_: None)
    monkeypatch.setattr("service.composition.load_lexicon", lambda _: None)
    return seen


def test_the_settings_reach_the_models(asked: dict[str, object]) -> None:
    settings = ModelSettings(
        threads=3, spinning=True, arena=False, cached_tokens=64, window_tokens=32, rows_per_pass=16
    )

    with pytest.raises(Asked):
        open_models(settings)

    assert asked["session"] == SessionSettings(threads=3, spinning=True, arena=False)
    assert asked["bounds"] == CausalSettings(cached_tokens=64, window_tokens=32, rows_per_pass=16)


def test_the_defaults_are_those_of_the_models(asked: dict[str, object]) -> None:
    with pytest.raises(Asked):
        open_models(ModelSettings())

    assert asked["session"] == SessionSettings()
    assert asked["bounds"] == CausalSettings()


@pytest.mark.parametrize("wrong", [{"window_tokens": 17}, {"cached_tokens": -1}, {"rows_per_pass": 0}])
def test_impossible_bounds_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ModelSettings(**wrong)
