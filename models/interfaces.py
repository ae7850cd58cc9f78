"""What the service asks of a model: plain requests in, plain arrays out, one list for a whole poll.

Implementations: `language_model.py`, `embedder.py`, `entailment.py`; deterministic stand-ins: `fakes.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class ModelFailure(Exception):
    """A model could not answer. Carries no input text: it may be logged."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Asks how improbable `text` is after `context`.

    Attributes:
        context: What was said before, verbatim, up to where `text` begins. May be empty.
        text: What is scored. May be empty (then no token is scored).
        stream: Names the running text (a call) whose context grows from request to request, so that its
            cached prefix can be reused. A hint: it never changes a result.
        extends: Whether `context + text` is likely to be the beginning of the stream's next context. False for
            variants of a text that are scored once and thrown away.
    """

    context: str = field(repr=False)
    text: str = field(repr=False)
    stream: str | None = None
    extends: bool = True


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Negative log-likelihoods of one scored text.

    Attributes:
        nll: float32 [tokens], nats.
        spans: int32 [tokens, 2], `[start, end)` characters of the scored text; leading white space is left out.
    """

    nll: NDArray[np.float32]
    spans: NDArray[np.int32] = field(repr=False)


class LanguageModel(Protocol):
    """A causal language model that scores texts in their context."""

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        """Scores every request, in order. Who shares the list changes no result.

        Raises:
            ModelFailure: the runtime failed; nothing was scored.
        """
        ...


class Embedder(Protocol):
    """A sentence embedding model."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 [texts, dimension], in order.

        Raises:
            ModelFailure: the runtime failed.
        """
        ...


class ContradictionClassifier(Protocol):
    """A natural language inference model, reduced to the one question asked of it."""

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """P(second contradicts first), float32 [pairs], in order.

        Raises:
            ModelFailure: the runtime failed.
        """
        ...
