import numpy as np
import pytest

from models.entailment import EntailmentClassifier
from models.loading import load_contradiction_classifier
from models.session import SessionSettings
from models.store import ModelStore

MODEL = "deberta-v3-xsmall-contradiction"

CONTRARY = [
    ("The patient has a fever.", "The patient has no fever."),
    ("i have chest pain", "i don't have any chest pain"),
    ("I take metformin 500 mg", "I take metformin 1000 mg"),
    ("The pain is in my left arm", "The pain is in my right arm"),
    ("I have no allergies", "I am allergic to penicillin"),
    ("It started yesterday", "It started two weeks ago"),
]
COMPATIBLE = [
    ("I have a headache", "My stomach hurts"),
    ("I have a headache", "I have had a headache since Monday"),
    ("My mother had diabetes", "I don't have diabetes"),
    ("I live in London", "I work in a bakery"),
]


@pytest.fixture(scope="module", params=[1, 2], ids=["one-thread", "two-threads"])
def settings(request: pytest.FixtureRequest) -> SessionSettings:
    return SessionSettings(threads=request.param)


@pytest.fixture
def classifier(built_models: ModelStore, settings: SessionSettings) -> EntailmentClassifier:
    return load_contradiction_classifier(built_models, MODEL, settings)


def test_tells_contradictions_from_what_goes_together(classifier: EntailmentClassifier) -> None:
    probabilities = classifier.contradiction(CONTRARY + COMPATIBLE)

    assert probabilities.dtype == np.float32
    assert probabilities.shape == (len(CONTRARY) + len(COMPATIBLE),)
    assert probabilities[: len(CONTRARY)].min() > 0.9
    assert probabilities[len(CONTRARY) :].max() < 0.5


def test_no_pair_no_answer(classifier: EntailmentClassifier) -> None:
    assert classifier.contradiction([]).shape == (0,)


def test_who_shares_a_batch_changes_nothing(built_models: ModelStore, settings: SessionSettings) -> None:
    long = ("well it was on and off for a while " * 10, "and then it was there all day " * 10)
    pairs = [*CONTRARY, long, *COMPATIBLE]

    together = load_contradiction_classifier(built_models, MODEL, settings).contradiction(pairs)
    alone = load_contradiction_classifier(built_models, MODEL, settings)

    one_by_one = [alone.contradiction([pair])[0] for pair in pairs]
    np.testing.assert_allclose(one_by_one, together, atol=1e-6)
