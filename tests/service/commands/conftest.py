"""Commands around stand-ins for the models, and the word that nobody may repeat."""

import pytest

from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from service.composition import Models
from tests.service.moments import LEXICON

CANARY = "xylocanary"
"""Spoken in calls: a transcript's word, so it may be in no log line and no error."""


@pytest.fixture
def fake_models(monkeypatch: pytest.MonkeyPatch) -> Models:
    """Every command of this process runs on stand-ins for the models."""
    models = Models(FakeLanguageModel(), LEXICON, FakeEmbedder(), FakeContradictionClassifier())
    monkeypatch.setattr("service.composition.open_models", lambda *_given: models)
    return models


@pytest.fixture(autouse=True)
def logs_of_its_own(restored_logging: None) -> None:
    """Every command sets up the logs of its process."""
