"""`auscult serve` with deterministic stand-ins for the models, which can be told to be slow or to fail.

FAULTS_SLOW_SECONDS     each batch of the language model takes so long
FAULTS_FAILING_SHARE    this share of the batches of the embedding model raises
"""

import os
import random
import time
from collections.abc import Sequence

import numpy as np
import typer
from numpy.typing import NDArray

import service.composition
from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from models.interfaces import ModelFailure, ScoreRequest, TokenScores
from models.lexicon import load_lexicon
from service.commands.serve import serve
from service.composition import Models, model_store
from service.metrics import ModelMeter
from service.settings import ModelSettings

SLOW_SECONDS = "FAULTS_SLOW_SECONDS"
FAILING_SHARE = "FAULTS_FAILING_SHARE"


class _SlowLanguageModel(FakeLanguageModel):
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        time.sleep(self._seconds)
        return super().score(requests)


class _FailingEmbedder(FakeEmbedder):
    def __init__(self, share: float) -> None:
        self._share = share

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if random.random() < self._share:  # noqa: S311 - a fault, not a secret
            raise ModelFailure("told to fail")
        return super().embed(texts)


def fake_models(settings: ModelSettings, meter: ModelMeter | None = None) -> Models:  # noqa: ARG001
    """The stand-ins, with the real lexicon."""
    return Models(
        language_model=_SlowLanguageModel(float(os.environ.get(SLOW_SECONDS, "0"))),
        lexicon=load_lexicon(model_store(settings).path(settings.lexicon)),
        embedder=_FailingEmbedder(float(os.environ.get(FAILING_SHARE, "0"))),
        contradiction=FakeContradictionClassifier(),
    )


if __name__ == "__main__":
    service.composition.open_models = fake_models
    typer.run(serve)
