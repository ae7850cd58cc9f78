"""Blockwise eight-bit weights: near to float32, smaller, and nobody's result depends on batch mates."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.export.quantisation import BLOCK, quantise_blocks, quantise_weights

VOCABULARY, WIDTH, HIDDEN = 50, 48, 40


def network(*, transposed: bool = False) -> onnx.ModelProto:
    """Looks up rows, multiplies by a matrix, then by another with a bias, then by one too small to quantise."""
    random = np.random.default_rng(0)
    second = random.standard_normal((HIDDEN, WIDTH) if transposed else (WIDTH, HIDDEN))
    constants = {
        "table": random.standard_normal((VOCABULARY, WIDTH)),
        "first": random.standard_normal((WIDTH, WIDTH)) / WIDTH**0.5,
        "second": second / WIDTH**0.5,
        "bias": random.standard_normal(HIDDEN),
        "small": random.standard_normal((HIDDEN, 3)) / HIDDEN**0.5,
    }
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "ids"], ["rows"]),
            helper.make_node("MatMul", ["rows", "first"], ["mixed"]),
            helper.make_node("Gemm", ["mixed", "second", "bias"], ["hidden"], transB=int(transposed)),
            helper.make_node("MatMul", ["hidden", "small"], ["answer"]),
        ],
        "network",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch"])],
        [helper.make_tensor_value_info("answer", TensorProto.FLOAT, ["batch", 3])],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def run(model: onnx.ModelProto, ids: list[int]) -> NDArray[np.float32]:
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (answer,) = session.run(None, {"ids": np.array(ids)})
    return np.asarray(answer)


@pytest.mark.parametrize("transposed", [False, True])
def test_answers_stay_near_and_the_graph_becomes_small(transposed: bool) -> None:
    plain, quantised = network(transposed=transposed), network(transposed=transposed)
    quantise_weights(quantised)

    ids = list(range(VOCABULARY))
    expected, found = run(plain, ids), run(quantised, ids)

    assert np.abs(found - expected).max() < 0.05 * np.abs(expected).max()
    assert not np.array_equal(found, expected)
    assert quantised.ByteSize() < 0.5 * plain.ByteSize()


def test_who_shares_a_batch_changes_no_answer() -> None:
    model = network()
    quantise_weights(model)

    together = run(model, [7, 1, 2, 3])

    assert np.array_equal(together[0], run(model, [7])[0])
    assert np.array_equal(together[0], run(model, [9, 7])[1])


def test_what_is_too_small_or_no_constant_is_left_alone() -> None:
    model = network()
    quantise_weights(model)

    kept = {tensor.name for tensor in model.graph.initializer}
    operators = [node.op_type for node in model.graph.node]
    assert kept >= {"small", "bias"}
    assert kept.isdisjoint({"table", "first", "second"})
    assert operators.count("MatMulNBits") == 2
    assert operators.count("MatMul") == 1


def test_a_table_that_is_looked_up_twice_is_stored_once() -> None:
    model = network()
    model.graph.node.insert(1, helper.make_node("Gather", ["table", "ids"], ["again"]))
    model.graph.node.insert(2, helper.make_node("Add", ["rows", "again"], ["twice"]))
    model.graph.node[3].input[0] = "twice"

    quantise_weights(model)

    assert [tensor.name for tensor in model.graph.initializer].count("table/int8") == 1
    run(model, [1])


def test_a_block_has_the_scale_of_its_largest_entry_and_the_last_is_filled_up() -> None:
    rows = np.zeros((2, BLOCK + 1), np.float32)
    rows[0, 3], rows[0, 4], rows[1, BLOCK] = 12.7, -12.7, 1.27

    levels, scales = quantise_blocks(rows)

    assert levels.shape == (2, 2, BLOCK)
    np.testing.assert_allclose(scales.reshape(2, 2)[[0, 1], [0, 1]], [0.1, 0.01], rtol=1e-5)
    assert (levels[0, 0, 3], levels[0, 0, 4], levels[0, 0, 5]) == (255, 1, 128)
    assert (levels[1, 1, 0], levels[1, 1, 1]) == (255, 128)


def test_a_quantised_graph_can_be_written_and_read(tmp_path: Path) -> None:
    model = network()
    quantise_weights(model)
    onnx.save_model(model, tmp_path / "model.onnx")

    onnx.checker.check_model(tmp_path / "model.onnx")
