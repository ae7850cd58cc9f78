from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from models.building.graph import (
    append_contradiction_probability,
    append_mean_pooling,
    free_dimensions,
    save_graph,
)
from models.layout import CONTRADICTION_OUTPUT, EMBEDDING_OUTPUT


def run(model: onnx.ModelProto, **inputs: NDArray[np.generic]) -> NDArray[np.float32]:
    onnx.checker.check_model(model)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    result: NDArray[np.float32] = session.run(None, inputs)[0]
    return result


def pass_through(name: str, shape: list[str | int], opset: int, *others: str) -> onnx.ModelProto:
    """A model whose output `given` is its input `name`; `others` are unused integer inputs."""
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
    inputs += [helper.make_tensor_value_info(other, TensorProto.INT64, ["b", "t"]) for other in others]
    graph = helper.make_graph(
        [helper.make_node("Identity", [name], ["given"])],
        "pass",
        inputs,
        [helper.make_tensor_value_info("given", TensorProto.FLOAT, shape)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


@pytest.mark.parametrize("opset", [14, 17, 18, 20])
def test_mean_pooling_ignores_padding_and_gives_unit_vectors(opset: int) -> None:
    model = pass_through("states", ["b", "t", 2], opset, "attention_mask")
    append_mean_pooling(model)
    states = np.array([[[1, 0], [3, 3], [100, 100]], [[0, -2], [7, 7], [7, 7]]], np.float32)
    mask = np.array([[1, 1, 0], [1, 0, 0]], np.int64)

    vectors = run(model, states=states, attention_mask=mask)

    assert [output.name for output in model.graph.output] == [EMBEDDING_OUTPUT]
    np.testing.assert_allclose(vectors, [[0.8, 0.6], [0.0, -1.0]], atol=1e-6)


def test_the_probability_of_one_class_comes_out() -> None:
    model = pass_through("logits", ["b", 3], 17)
    append_contradiction_probability(model, 1)
    logits = np.log(np.array([[0.2, 0.7, 0.1], [0.5, 0.25, 0.25]], np.float32))

    probabilities = run(model, logits=logits)

    assert [output.name for output in model.graph.output] == [CONTRADICTION_OUTPUT]
    np.testing.assert_allclose(probabilities, [0.7, 0.25], atol=1e-6)


def test_fixed_dimensions_become_free() -> None:
    model = pass_through("states", ["b", "t", 2], 17)
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, 3, 2]))
    free_dimensions(model)

    assert run(model, states=np.zeros((4, 5, 2), np.float32)).shape == (4, 5, 2)


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        model = pass_through("logits", ["b", 3], 17)
        append_contradiction_probability(model, 0)
        save_graph(model, tmp_path / name)

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
