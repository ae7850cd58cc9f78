"""Scores a known text when the model is opened, and picks products that are right on this CPU.

Sums of u8 and s8 products saturate on x86 processors without VNNI instructions: the model then runs, and what it
says is wrong. So a built model carries a short text and its exact NLLs. Where they do not come back, the graph is
opened again with slower products that cannot saturate.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from models.causal.artifact import SELF_TEST_FILE, START_KEYS_VALUES_FILE
from models.errors import ModelInaccurate

PROBE_TEXT = (
    "Patient: I've had a bad headache for three days and I feel sick\n"
    "Doctor: have you taken anything for it\n"
    "Patient: only paracetamol twice a day\n"
)
"""Invented. Ordinary speech, so that every layer works as it does in use."""

TOLERANCE = 0.2
"""Mean absolute error that passes, in nats. Rounding to int8 costs 0.11 on this text, products that saturate 0.35."""

PAGE_TOKENS = 16

Products = Literal["fast", "exact"]
"""Which int8 products run: the processor's fastest, or those that saturate nowhere."""


class RunnableGraph(Protocol):
    """What is asked of an opened graph."""

    def run(
        self, inputs: Mapping[str, NDArray[Any]], outputs: Sequence[str], tokens: int
    ) -> list[NDArray[Any]]:
        """See `models.session.Session`."""
        ...


Graph = TypeVar("Graph", bound=RunnableGraph)


class SelfTest(BaseModel):
    """A text and what each of its tokens costs, computed with unquantised weights.

    Attributes:
        tokens: The start token, and the text's.
        nll: Of each token from the third on, nats. The second follows the start token alone: no pass computes it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: tuple[int, ...] = Field(min_length=3)
    nll: tuple[float, ...] = Field(min_length=1)

    @classmethod
    def read(cls, folder: Path) -> "SelfTest":
        """Reads the self-test of a built model."""
        return cls.model_validate_json((folder / SELF_TEST_FILE).read_bytes())

    def write(self, folder: Path) -> None:
        """Writes the self-test into a model's folder."""
        (folder / SELF_TEST_FILE).write_text(self.model_dump_json() + "\n", encoding="utf-8")

    def error(self, graph: RunnableGraph, start_state: NDArray[np.float16]) -> float:
        """Mean absolute error of a graph on the text, in nats; infinite where a result is no number.

        Args:
            graph: The opened graph.
            start_state: Keys and values of the start token: float16 [2 layers, kv_heads, head_width].

        Raises:
            ModelFailure: the runtime failed.
        """
        fed = np.array([self.tokens[1:-1]])
        nll, _ = graph.run(self._inputs(fed, start_state), ["nll", "present"], fed.size)
        error = float(np.abs(nll[:, 0] - np.array(self.nll)).mean())
        return error if np.isfinite(error) else float("inf")

    def _inputs(self, fed: NDArray[np.int64], start_state: NDArray[np.float16]) -> dict[str, NDArray[Any]]:
        """The graph's inputs: the text after the start token, which stands alone in the cache."""
        planes, kv_heads, head_width = start_state.shape
        pages = np.zeros((planes * kv_heads, PAGE_TOKENS * head_width), dtype=np.float16)
        pages[:, :head_width] = start_state.reshape(-1, head_width)
        rows = np.arange(planes * kv_heads).reshape(planes, 1, kv_heads, 1)
        return {
            "token_ids": fed,
            "past_lengths": np.ones(1, dtype=np.int64),
            "past_pages": np.repeat(rows, -(-(1 + fed.size) // PAGE_TOKENS), axis=3),
            "pages": pages,
            "scored_rows": np.arange(fed.size),
            "targets": np.array(self.tokens[2:])[:, None],
            "continued_rows": np.zeros(0, dtype=np.int64),
            "continuations": np.ones(1, dtype=np.int64),
        }


@dataclass(frozen=True, slots=True)
class Tested(Generic[Graph]):
    """A graph that passed its self-test, which products it runs with, and its mean absolute error in nats."""

    graph: Graph
    products: Products
    error: float


def open_tested(folder: Path, open_graph: Callable[[Products], Graph]) -> Tested[Graph]:
    """Opens a built model's graph with the fastest products that give right results here.

    Args:
        folder: The built model.
        open_graph: Opens its graph.

    Raises:
        ModelInaccurate: neither kind of products gives what the model's text should cost.
        ModelFailure: the runtime failed.
        OSError: a file of the model is missing.
    """
    self_test = SelfTest.read(folder)
    start_state: NDArray[np.float16] = np.load(folder / START_KEYS_VALUES_FILE)
    errors: dict[Products, float] = {}
    kinds: tuple[Products, ...] = ("fast", "exact")
    for products in kinds:
        graph = open_graph(products)
        errors[products] = self_test.error(graph, start_state)
        if errors[products] <= TOLERANCE:
            return Tested(graph, products, errors[products])
    raise ModelInaccurate(
        f"The language model in {folder.name} is off by {errors['fast']:.2f} nats a token on its own test text, and "
        f"by {errors['exact']:.2f} with products that cannot saturate; {TOLERANCE} is allowed. Build it again with "
        "`auscult models build`; if that does not help, install another version of ONNX Runtime."
    )
