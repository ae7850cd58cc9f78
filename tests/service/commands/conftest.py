"""Commands around stand-ins for the models, and the word that nobody may repeat."""

import logging
from collections.abc import Iterator

import pytest
import structlog

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
def restored_logging() -> Iterator[None]:
    """Commands set up the logs of their process."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
