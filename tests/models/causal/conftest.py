"""The tiny model in both precisions, built once."""

from pathlib import Path

import pytest

from models.causal.build import Precision
from tests.models.causal.tiny import write_tiny_model

PRECISIONS: tuple[Precision, ...] = ("float32", "int8")


@pytest.fixture(scope="session", params=PRECISIONS)
def tiny_model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    precision: Precision = request.param
    return write_tiny_model(tmp_path_factory.mktemp(precision), precision)
