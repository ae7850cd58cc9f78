"""Fixtures for every test: the measuring data, where it is there, and the built models."""

import os
from pathlib import Path

import pytest

from models.store import ModelStore, open_store

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of measuring data beside the repository; skips where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs the measuring data in ../shared/data, which is not part of the repository")
    return SHARED_DATA


@pytest.fixture(scope="session")
def built_models() -> ModelStore:
    """All default models, in the user's own store: built on first use, then kept."""
    root = os.environ.get("AUSCULT_MODELS__STORE")
    store = open_store(Path(root) if root else None)
    for entry in store.manifest.models:
        store.build(entry.id)
    return store
