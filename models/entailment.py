"""Natural language inference, reduced to one question: does the second text contradict the first?"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.text_model import TextModel


class EntailmentClassifier:
    """A `ContradictionClassifier` on a graph with the output `contradiction_probability`, float [batch].

    Constructing it runs the model once, so that it is warm.

    Args:
        model: The graph with its tokenizer.

    Raises:
        ModelFailure: the runtime failed.
    """

    def __init__(self, model: TextModel) -> None:
        self._model = model
        model.answer([("", "")])

    @property
    def provider(self) -> str:
        """The execution provider that runs the graph."""
        return self._model.provider

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """P(second contradicts first), float32 [pairs], in order.

        Raises:
            ModelFailure: the runtime failed.
        """
        return np.array(self._model.answer(pairs), np.float32)
