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
        stream: Names the call whose context grows from request to request, so that its cached prefix can be
            reused; it stays the same when the context begins anew. A hint: it never changes a result.
        extends: Whether `context + text` is likely to be the beginning of the stream's next context. False for
            variants of a text that are scored once and thrown away.
        line_ends: Whether to say of every token how improbable it is that the line ended in its place.
        continued_at: Characters of the text, 0 to its length: what is likeliest to follow the text so far?
            Within a token: in place of that token.
        continuations: How many tokens to name at each of these places.
    """

    context: str = field(repr=False)
    text: str = field(repr=False)
    stream: str | None = None
    extends: bool = True
    line_ends: bool = False
    continued_at: tuple[int, ...] = ()
    continuations: int = 8


@dataclass(frozen=True, slots=True)
class Continuations:
    """The likeliest next tokens at one place of a text, likeliest first.

    Attributes:
        tokens: What each writes, white space included; only the beginning of a word where it has several tokens.
        nll: float32 [tokens], nats.
    """

    tokens: tuple[str, ...] = field(repr=False)
    nll: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Negative log-likelihoods of one scored text.

    Attributes:
        nll: float32 [tokens], nats.
        spans: int32 [tokens, 2], `[start, end)` characters of the scored text; leading white space is left out.
        line_end_nll: float32 [tokens], nats: of a line end in place of each token; None where it was not asked
            for, or where the model's tokens have no line ends.
        continuations: One for each place of the request's `continued_at`; none if the model cannot tell.
    """

    nll: NDArray[np.float32]
    spans: NDArray[np.int32] = field(repr=False)
    line_end_nll: NDArray[np.float32] | None = None
    continuations: tuple[Continuations, ...] = field(default=(), repr=False)


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
