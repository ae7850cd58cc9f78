"""Nothing is reported to the makers of the runtime: not what runs here, and not that anything does."""

import os
import subprocess
import sys
from pathlib import Path

import onnx
from onnx import TensorProto, helper

RUN = """
import sys
from pathlib import Path
import numpy
from models.session import SessionSettings, open_session
session = open_session(Path(sys.argv[1]), SessionSettings(threads=1))
session.run({"x": numpy.zeros((1, 1), numpy.float32)}, ["y"], tokens=1)
"""


def write_graph(path: Path) -> None:
    shape = [1, 1]
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"])],
        "same",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
    )
    opset = [helper.make_opsetid("", 20)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=10), path)


def files_after_a_run(folder: Path, **variables: str) -> list[str]:
    """What the runtime leaves in a home and a cache folder that are empty."""
    write_graph(folder / "graph.onnx")
    home = folder / "home"
    home.mkdir()
    # By these the runtime would see that it is tested, and be silent by itself.
    silent = ("ORT_", "CI", "GITHUB_", "TF_BUILD")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(silent)}
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", RUN, str(folder / "graph.onnx")]
    subprocess.run(command, env=kept | places | variables, check=True, capture_output=True)
    return [path.name for path in home.rglob("*") if path.is_file()]


def test_the_runtime_keeps_no_identifier_and_gathers_nothing(tmp_path: Path) -> None:
    assert files_after_a_run(tmp_path) == []


def test_whoever_sets_the_variable_otherwise_is_heard(tmp_path: Path) -> None:
    assert "deviceid" in files_after_a_run(tmp_path, ORT_DISABLE_TELEMETRY="0")
