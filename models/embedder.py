"""Sentence embeddings: a unit vector for a text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.text_model import TextModel


class SentenceEmbedder:
    """An `Embedder` on a graph with the output `sentence_embedding`, float [batch, dimension], L2-normalised.

    Constructing it runs the model once: it learns its dimension, and is warm.

    Args:
        model: The graph with its tokenizer.

    Raises:
        ModelFailure: the runtime failed.
    """

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self._dimension = len(model.answer([("",)])[0])

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    @property
    def provider(self) -> str:
        """The execution provider that runs the graph."""
        return self._model.provider

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 [texts, dimension], in order.

        Raises:
            ModelFailure: the runtime failed.
        """
        vectors = np.empty((len(texts), self._dimension), np.float32)
        for row, vector in enumerate(self._model.answer([(text,) for text in texts])):
            vectors[row] = vector
        return vectors
