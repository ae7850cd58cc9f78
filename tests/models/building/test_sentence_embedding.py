import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from models.building.sentence_embedding import look_up_before_scaling

TABLE = np.array([[1, -2], [3, 4], [-5, 127]], np.int8)
SCALE = np.array([[0.5], [0.25], [2.0]], np.float32)
IDS = np.array([[2, 0], [1, 1]], np.int64)


def test_only_the_rows_that_are_looked_up_are_scaled() -> None:
    nodes = [
        helper.make_node("Cast", ["table"], ["table_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["table_float", "scale"], ["table_scaled"]),
        helper.make_node("Gather", ["table_scaled", "ids"], ["rows"], axis=0),
    ]
    graph = helper.make_graph(
        nodes,
        "lookup",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["b", "t"])],
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["b", "t", 2])],
        [numpy_helper.from_array(TABLE, "table"), numpy_helper.from_array(SCALE, "scale")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)

    look_up_before_scaling(model)

    onnx.checker.check_model(model)
    assert [node.op_type for node in model.graph.node] == ["Gather", "Cast", "Gather", "Mul"]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    np.testing.assert_array_equal(session.run(None, {"ids": IDS})[0], (TABLE * SCALE)[IDS])
