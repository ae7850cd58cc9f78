"""Opens a graph in ONNX Runtime, with the threads and the provider that were asked for, and says what runs."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import onnxruntime
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from models.cpu import usable_cpus
from models.errors import ModelNotLoaded, ProviderUnavailable
from models.interfaces import ModelFailure
from models.memory import return_freed_memory

Provider = Literal["cpu", "cuda"]

_PROVIDER_NAMES: Mapping[Provider, str] = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}


class SessionSettings(BaseModel):
    """How graphs are run.

    Attributes:
        provider: Where: cpu, or cuda (needs the `cuda` extra and a GPU).
        strict: Whether to refuse to start rather than run anything on the CPU when cuda was asked for.
        threads: Threads of one operator; None: as many as the container's quota or the affinity allows.
        spinning: Whether idle threads spin. Faster alone, but takes the CPU from everything else.
        exact_products: Whether int8 products avoid instructions that saturate: slower, right on every processor.
        arena: Whether freed memory is kept for the next run. Faster, but grows with every new shape.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: Provider = "cpu"
    strict: bool = False
    threads: int | None = Field(default=None, ge=1)
    spinning: bool = False
    exact_products: bool = False
    arena: bool = True


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a graph, as it is reported for metrics.

    Attributes:
        seconds: How long it took.
        rows: How many inputs were in the batch.
        tokens: How many tokens, padding not counted.
    """

    seconds: float
    rows: int
    tokens: int


Observer = Callable[[Run], None]
"""Told of every run. Called on the thread that runs the model."""


def unobserved(run: Run) -> None:
    """An observer that looks away."""


class Session:
    """A graph that is ready to run.

    Attributes:
        provider: What really runs it, such as `CPUExecutionProvider`: the first of the providers in use.
        input_names: The inputs it takes.
    """

    def __init__(
        self,
        runtime: "onnxruntime.InferenceSession",
        observer: Observer = unobserved,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.runtime = runtime
        self.provider: str = runtime.get_providers()[0]
        self.input_names = frozenset(node.name for node in runtime.get_inputs())
        self._observer = observer
        self._clock = clock

    def run(
        self, inputs: Mapping[str, NDArray[Any]], outputs: Sequence[str], tokens: int
    ) -> list[NDArray[Any]]:
        """Runs the graph once.

        Args:
            inputs: An array for every input; the first axis is the batch.
            outputs: Names of the wanted outputs.
            tokens: How many tokens are in the batch, for the observer.

        Raises:
            ModelFailure: the runtime failed. Its message names the runtime's error type only.
        """
        started = self._clock()
        try:
            results: list[NDArray[Any]] = self.runtime.run(list(outputs), dict(inputs))
        except Exception as error:  # noqa: BLE001 - the runtime's exceptions share no other base
            raise ModelFailure(f"ONNX Runtime failed: {type(error).__name__}") from None
        rows = len(next(iter(inputs.values())))
        self._observer(Run(self._clock() - started, rows, tokens))
        return results


def open_session(path: Path, settings: SessionSettings, observer: Observer = unobserved) -> Session:
    """Loads a graph and checks that it runs where it was asked to run.

    Raises:
        ProviderUnavailable: strict, and the provider is not there or cannot run the whole graph.
        ModelNotLoaded: the runtime cannot load the graph.
    """
    wanted = _PROVIDER_NAMES[settings.provider]
    available = wanted in onnxruntime.get_available_providers()
    if settings.strict and not available:
        raise ProviderUnavailable(
            f"{wanted} is not in this installation of ONNX Runtime. Install auscult[cuda] instead of "
            "auscult[cpu], or do not ask for it strictly."
        )
    providers = [wanted] if available else [_PROVIDER_NAMES["cpu"]]
    try:
        runtime = onnxruntime.InferenceSession(path, _options(settings), providers=providers)
    except Exception as error:  # the runtime's exceptions share no other base
        if settings.strict:
            raise ProviderUnavailable(
                f"{wanted} cannot run the whole of {path}: {error}. Int8 products run on CPUs only: export the model "
                "with --precision float32, or do not ask for the provider strictly."
            ) from error
        raise ModelNotLoaded(
            f"ONNX Runtime cannot load {path}: {error}. See whether there is memory enough, and whether this is "
            "the version of ONNX Runtime that the model was built for."
        ) from error
    return_freed_memory()
    session = Session(runtime, observer)
    if settings.strict and session.provider != wanted:
        raise ProviderUnavailable(
            f"{path} runs on {session.provider}, not on {wanted}. See whether the GPU and its libraries can be used "
            "from here, or do not ask for the provider strictly."
        )
    return session


def _options(settings: SessionSettings) -> "onnxruntime.SessionOptions":
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = settings.threads or usable_cpus()
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = settings.arena
    options.enable_mem_pattern = False  # patterns are kept per shape, and shapes vary with every batch
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "1" if settings.spinning else "0")
    if settings.exact_products:
        options.add_session_config_entry("session.x64quantprecision", "1")
    if settings.strict and settings.provider != "cpu":
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    return options
