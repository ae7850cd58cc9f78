"""What every signal is: a small computation over one moment of a call that may ask the models questions.

A signal is written as one readable function. Where it needs a model it asks with `yield from`, and the
monitor answers all signals of all segments of a poll with one batch per model and round (`rounds.py`).
A signal keeps no state: what it may know of the call is in the `Moment`.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from models.interfaces import ScoreRequest, TokenScores
from service.moment import Moment
from streams.messages import Related, Severity, SignalReading, Span

ModelName = Literal["language_model", "embedding", "contradiction"]

FlagType = Literal[
    "contradiction",
    "cut_off_turn",
    "hallucinated_text",
    "implausible_dose",
    "implausible_speech_rate",
    "improbable_words",
    "likely_misheard",
    "lost_speech",
    "lost_words",
    "misheard_term",
    "sound_alike_drug",
    "topic_drift",
    "unanswered_question",
    "unsure_word",
]
"""What a flag can be."""

FAILED: Final = "failed"
"""Why a reading is absent whose model, or whose own computation, failed."""

SHED: Final = "shed"
"""Why a reading is absent that was left out because the service had fallen behind."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a model: a list of its inputs."""

    model: ModelName
    items: Sequence[Any] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A flag that a signal would raise; the flag policy decides (cooldown, budget).

    Attributes:
        subject: What the problem is about, in canonical words. Proposals of the same type and subject within
            the cooldown are one flag.
        strength: How sure the signal is, 0..1.
    """

    type: FlagType
    severity: Severity
    span: Span | None
    reason: str
    explanation: str = field(repr=False)
    subject: str = field(repr=False)
    strength: float
    suggestion: str | None = field(default=None, repr=False)
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a signal found in one segment.

    Attributes:
        readings: By signal name; the simple published form stands beside the better one as `NAME_simple`.
        proposals: Flags it would raise.
        features: Inputs to the risk model, by feature name.
    """

    readings: Mapping[str, SignalReading]
    proposals: tuple[Proposal, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)


Measuring = Generator[Ask, Any, Finding]


class Signal(Protocol):
    """One signal."""

    @property
    def name(self) -> str:
        """Its name in assessments, metrics and settings."""
        ...

    @property
    def readings(self) -> tuple[str, ...]:
        """Names of all readings it gives, its simple form's included."""
        ...

    def measure(self, moment: Moment) -> Measuring:
        """Measures one segment in its call. Pure: the same moment and answers give the same finding."""
        ...


def ask_scores(requests: Sequence[ScoreRequest]) -> Generator[Ask, Any, list[TokenScores]]:
    """Asks the language model; answers one `TokenScores` a request."""
    answer: list[TokenScores] = yield Ask("language_model", requests)
    return answer


def ask_embeddings(texts: Sequence[str]) -> Generator[Ask, Any, NDArray[np.float32]]:
    """Asks the embedding model; answers unit vectors [texts, dimension]."""
    answer: list[NDArray[np.float32]] = yield Ask("embedding", texts)
    return np.stack(answer)


def ask_contradiction(pairs: Sequence[tuple[str, str]]) -> Generator[Ask, Any, NDArray[np.float32]]:
    """Asks the contradiction classifier; answers probabilities [pairs]."""
    answer: list[float] = yield Ask("contradiction", pairs)
    return np.asarray(answer, dtype=np.float32)


def absent(names: Sequence[str], reason: str) -> Finding:
    """The finding of a signal that could not be measured."""
    return Finding({name: SignalReading(None, None, absent=reason) for name in names})
