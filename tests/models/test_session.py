from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from models.errors import ModelNotLoaded, ProviderUnavailable
from models.interfaces import ModelFailure
from models.session import Run, Session, SessionSettings, open_session
from tests.models.tiny import write_sum_graph

ONE = SessionSettings(threads=1)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    write_sum_graph(path)
    return path


def batch(*rows: list[int]) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    ids = np.array(rows, np.int64)
    return {"input_ids": ids, "attention_mask": np.ones_like(ids)}


def test_runs_the_graph_and_says_where(graph: Path) -> None:
    session = open_session(graph, ONE)

    assert session.provider == "CPUExecutionProvider"
    assert session.input_names == {"input_ids", "attention_mask"}
    assert session.run(batch([1, 2], [3, 4]), ["total"], tokens=4)[0].tolist() == [3.0, 7.0]


def test_every_run_is_observed(graph: Path) -> None:
    seen: list[Run] = []
    ticks = iter([10.0, 10.25])
    opened = open_session(graph, ONE)
    session = Session(opened.runtime, seen.append, clock=lambda: next(ticks))

    session.run(batch([1, 2, 0], [3, 4, 5]), ["total"], tokens=5)

    assert seen == [Run(seconds=0.25, rows=2, tokens=5)]


def test_a_failing_run_is_a_model_failure_without_the_inputs(graph: Path) -> None:
    session = open_session(graph, ONE)

    with pytest.raises(ModelFailure, match=r"^ONNX Runtime failed: \w+$"):
        session.run({"input_ids": np.array([[77777]], np.int64)}, ["total"], tokens=1)


def test_a_broken_graph_is_a_model_failure(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no graph")

    with pytest.raises(ModelNotLoaded, match=r"cannot load .*model\.onnx"):
        open_session(tmp_path / "model.onnx", ONE)


def test_a_provider_that_is_not_there_is_replaced_and_that_shows(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])

    session = open_session(graph, SessionSettings(provider="cuda", threads=1))

    assert session.provider == "CPUExecutionProvider"


def test_strictly_a_provider_that_is_not_there_is_an_error(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])

    with pytest.raises(ProviderUnavailable, match=r"CUDAExecutionProvider is not in .*auscult\[cuda\]"):
        open_session(graph, SessionSettings(provider="cuda", strict=True, threads=1))


@dataclass
class Runtime:
    """Stands for an installation of ONNX Runtime with CUDA: notes what it is asked for, runs where it is told."""

    runs_on: str
    refusal: str | None = None
    asked: list[str] = field(default_factory=list)
    options: onnxruntime.SessionOptions | None = None

    def __call__(self, _path: Path, options: onnxruntime.SessionOptions, providers: list[str]) -> "Runtime":
        self.options, self.asked = options, providers
        if self.refusal is not None:
            raise RuntimeError(self.refusal)
        return self

    def get_providers(self) -> list[str]:
        return [self.runs_on]

    def get_inputs(self) -> list[object]:
        return []


@pytest.fixture
def with_cuda(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Runtime]:
    def install(runs_on: str, refusal: str | None = None) -> Runtime:
        runtime = Runtime(runs_on, refusal)
        available = ["CUDAExecutionProvider", "CPUExecutionProvider"]
        monkeypatch.setattr("onnxruntime.get_available_providers", lambda: available)
        monkeypatch.setattr("onnxruntime.InferenceSession", runtime)
        return runtime

    return install


CUDA = SessionSettings(provider="cuda", threads=1)
STRICTLY_CUDA = SessionSettings(provider="cuda", strict=True, threads=1)


def fallback_refused(options: onnxruntime.SessionOptions) -> bool:
    try:
        return bool(options.get_session_config_entry("session.disable_cpu_ep_fallback") == "1")
    except RuntimeError:  # it was not set
        return False


@pytest.mark.parametrize(("settings", "refused"), [(CUDA, False), (STRICTLY_CUDA, True)])
def test_a_provider_that_is_there_runs_the_graph_and_only_strictly_refuses_the_cpu(
    with_cuda: Callable[..., Runtime], settings: SessionSettings, refused: bool
) -> None:
    runtime = with_cuda("CUDAExecutionProvider")

    assert open_session(Path("model.onnx"), settings).provider == "CUDAExecutionProvider"
    assert runtime.asked == ["CUDAExecutionProvider"]
    assert runtime.options is not None
    assert fallback_refused(runtime.options) == refused


def test_a_cpu_is_not_asked_to_refuse_itself(graph: Path) -> None:
    opened = open_session(graph, SessionSettings(strict=True, threads=1))

    assert not fallback_refused(opened.runtime.get_session_options())


def test_a_runtime_that_falls_back_by_itself_is_seen(with_cuda: Callable[..., Runtime]) -> None:
    with_cuda("CPUExecutionProvider")

    assert open_session(Path("model.onnx"), CUDA).provider == "CPUExecutionProvider"


def test_strictly_a_runtime_that_falls_back_by_itself_is_refused(with_cuda: Callable[..., Runtime]) -> None:
    with_cuda("CPUExecutionProvider")

    with pytest.raises(
        ProviderUnavailable, match=r"runs on CPUExecutionProvider, not on CUDAExecutionProvider"
    ):
        open_session(Path("model.onnx"), STRICTLY_CUDA)


def test_strictly_a_graph_that_only_a_cpu_can_run_is_refused_with_the_remedy(
    with_cuda: Callable[..., Runtime],
) -> None:
    with_cuda("CUDAExecutionProvider", refusal="nodes are assigned to the default CPU EP")

    with pytest.raises(ProviderUnavailable, match=r"Int8 products run on CPUs only: .*--precision float32"):
        open_session(Path("model.onnx"), STRICTLY_CUDA)


def test_strictly_on_the_cpu_there_is_nothing_to_refuse(graph: Path) -> None:
    assert open_session(graph, SessionSettings(strict=True, threads=1)).provider == "CPUExecutionProvider"


@pytest.mark.parametrize(
    ("settings", "spins"), [(ONE, "0"), (SessionSettings(threads=1, spinning=True), "1")]
)
def test_spinning_is_off_unless_asked_for(graph: Path, settings: SessionSettings, spins: str) -> None:
    options = open_session(graph, settings).runtime.get_session_options()

    assert options.get_session_config_entry("session.intra_op.allow_spinning") == spins


def test_threads_and_arena_are_as_set(graph: Path) -> None:
    options = open_session(graph, SessionSettings(threads=3, arena=False)).runtime.get_session_options()

    assert options.intra_op_num_threads == 3
    assert not options.enable_cpu_mem_arena


def test_unset_threads_follow_the_usable_cpus(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.session.usable_cpus", lambda: 2)

    assert open_session(graph, SessionSettings()).runtime.get_session_options().intra_op_num_threads == 2
