from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from models.building.token_nll import append_token_nll
from models.errors import ModelBuildFailed
from models.layout import NLL_OUTPUT, SCORED_ROWS_INPUT, TARGETS_INPUT

WEIGHT = np.random.default_rng(3).normal(size=(4, 6)).astype(np.float32)
BIAS = np.linspace(-1, 1, 6).astype(np.float32)


def projection(*, bias: bool = False, ending: str = "") -> onnx.ModelProto:
    nodes = [helper.make_node("MatMul", ["states", "weight"], ["product"])]
    value = "product"
    if bias:
        nodes.append(helper.make_node("Add", ["bias", value], ["biased"]))
        value = "biased"
    nodes.append(helper.make_node(ending or "Identity", [value], ["logits"]))
    graph = helper.make_graph(
        nodes,
        "head",
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["b", "t", 4])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", "t", 6])],
        [
            numpy_helper.from_array(WEIGHT, "weight"),
            *([numpy_helper.from_array(BIAS, "bias")] if bias else []),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


@pytest.mark.parametrize("bias", [False, True])
def test_the_nll_of_the_scored_tokens_comes_out(bias: bool) -> None:
    model = projection(bias=bias)
    append_token_nll(model)
    onnx.checker.check_model(model)
    states = np.random.default_rng(4).normal(size=(2, 3, 4)).astype(np.float32)
    rows, targets = np.array([0, 4, 5]), np.array([5, 0, 2])

    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    inputs: dict[str, Any] = {"states": states, SCORED_ROWS_INPUT: rows, TARGETS_INPUT: targets}
    (nll,) = session.run([NLL_OUTPUT], inputs)

    logits = (states.reshape(6, 4) @ WEIGHT + (BIAS if bias else 0)).astype(np.float64)
    expected = np.log(np.exp(logits).sum(axis=1))[rows] - logits[rows, targets]
    np.testing.assert_allclose(nll, expected, atol=1e-5)


def test_a_graph_that_does_not_end_in_a_product_is_refused() -> None:
    with pytest.raises(ModelBuildFailed, match="does not end in a matrix product"):
        append_token_nll(projection(ending="Relu"))
