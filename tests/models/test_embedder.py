import json
from pathlib import Path

import numpy as np
import pytest

from models.embedder import SentenceEmbedder
from models.errors import ModelUnknown
from models.loading import load_embedder
from models.session import SessionSettings
from models.store import ModelStore

MODEL = "all-minilm-l6-v2"


@pytest.fixture(scope="module", params=[1, 2], ids=["one-thread", "two-threads"])
def settings(request: pytest.FixtureRequest) -> SessionSettings:
    return SessionSettings(threads=request.param)


@pytest.fixture
def embedder(built_models: ModelStore, settings: SessionSettings) -> SentenceEmbedder:
    return load_embedder(built_models, MODEL, settings)


def test_vectors_are_units_in_the_order_of_the_texts(embedder: SentenceEmbedder) -> None:
    vectors = embedder.embed(["I have a headache", "", "my knee"])

    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert embedder.dimension == 384
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(embedder.embed(["my knee"])[0], vectors[2], atol=1e-6)


def test_no_text_no_vector(embedder: SentenceEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_like_meanings_are_near(embedder: SentenceEmbedder) -> None:
    ache, hurts, appointment = embedder.embed(
        [
            "I have had a headache since Monday",
            "My head has been hurting for days",
            "The clinic opens at nine",
        ]
    )

    assert ache @ hurts > 0.7
    assert ache @ appointment < 0.3


def test_who_shares_a_batch_changes_nothing(
    built_models: ModelStore, settings: SessionSettings, shared_data: Path
) -> None:
    recording = min((shared_data / "primock57").glob("*.jsonl"))
    texts = [json.loads(line)["text"] for line in recording.read_text(encoding="utf-8").splitlines()]

    together = load_embedder(built_models, MODEL, settings).embed(texts)
    alone = load_embedder(built_models, MODEL, settings)

    np.testing.assert_allclose(np.vstack([alone.embed([text]) for text in texts]), together, atol=1e-6)


def test_a_text_over_the_limit_is_cut(embedder: SentenceEmbedder) -> None:
    endless = "and then it hurt again " * 2000

    np.testing.assert_allclose(embedder.embed([endless]), embedder.embed([endless * 2]), atol=1e-6)


def test_a_model_for_something_else_is_refused(built_models: ModelStore) -> None:
    with pytest.raises(ModelUnknown, match="is for language_model, not for embedding"):
        load_embedder(built_models, "smollm2-135m-instruct", SessionSettings(threads=1))
