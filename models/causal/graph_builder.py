"""A thin helper for writing ONNX graphs by hand: every node and constant gets a unique, readable name."""

from collections.abc import Container
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

ONNX_OPSET = 19
RUNTIME_DOMAIN = "com.microsoft"
"""ONNX Runtime's own operators."""

_TYPES = {
    "float32": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "int64": TensorProto.INT64,
    "uint8": TensorProto.UINT8,
}


class GraphBuilder:
    """Collects nodes and constants, in order, and makes a model of them. Values are named by strings."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._uses: dict[str, int] = {}

    def input(self, name: str, dtype: str, shape: list[str | int]) -> str:
        """Declares a graph input; symbolic dimensions are strings."""
        self._inputs.append(helper.make_tensor_value_info(name, _TYPES[dtype], shape))
        return name

    def output(self, name: str, value: str, dtype: str, shape: list[str | int]) -> None:
        """Declares that `value` leaves the graph as `name`."""
        self._nodes.append(helper.make_node("Identity", [value], [name], name=f"{name}/output"))
        self._outputs.append(helper.make_tensor_value_info(name, _TYPES[dtype], shape))

    def constant(self, name: str, array: NDArray[Any]) -> str:
        """Stores an array in the graph."""
        unique = self._unique(name)
        self._constants[unique] = numpy_helper.from_array(np.ascontiguousarray(array), unique)
        return unique

    def integers(self, *values: int) -> str:
        """An int64 vector, stored once however often it is used."""
        name = "integers/" + "_".join(str(value) for value in values)
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.array(values, dtype=np.int64), name)
        return name

    def scalar(self, value: float) -> str:
        """A float32 number, stored once however often it is used."""
        name = f"scalar/{value!r}"
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.array(value, dtype=np.float32), name)
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Adds a node with one output and returns its name."""
        return self.nodes(operator, *inputs, outputs=1, domain=domain, **attributes)[0]

    def nodes(
        self,
        operator: str,
        *inputs: str,
        outputs: int,
        unused: Container[int] = (),
        domain: str = "",
        **attributes: Any,
    ) -> list[str]:
        """Adds a node with several outputs and returns their names; an unused optional output has none."""
        name = self._unique(operator)
        names = ["" if index in unused else f"{name}/{index}" for index in range(outputs)]
        self._nodes.append(
            helper.make_node(operator, list(inputs), names, name=name, domain=domain, **attributes)
        )
        return names

    def reshape(self, value: str, *shape: int) -> str:
        """Reshapes; 0 keeps a dimension, -1 infers one."""
        return self.node("Reshape", value, self.integers(*shape))

    def model(self, name: str, opset: int = ONNX_OPSET) -> onnx.ModelProto:
        """The finished model, in the operators of an ONNX opset."""
        graph = helper.make_graph(
            self._nodes, name, self._inputs, self._outputs, initializer=list(self._constants.values())
        )
        model = helper.make_model(
            graph,
            producer_name="auscult",
            opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid(RUNTIME_DOMAIN, 1)],
        )
        model.ir_version = 10
        return model

    def _unique(self, name: str) -> str:
        count = self._uses.get(name, 0)
        self._uses[name] = count + 1
        return f"{name}_{count}"
