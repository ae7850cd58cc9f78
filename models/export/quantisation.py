"""Puts an exported graph's weights and products into eight bits, with a scale for every few numbers.

Matrices have a scale for each block of an output's inputs, and activations one for each block of a row (MatMulNBits of
ONNX Runtime): none depends on batch mates, so a text's result is its own. Embedding tables have one for each row.
"""

from collections.abc import Iterator

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.causal.graph_builder import RUNTIME_DOMAIN

BLOCK = 32
"""Inputs of an output that share a scale; a power of two from 16."""

_INT8_PRODUCTS = 4
"""What the operator calls the precision (`accuracy_level`) of multiplying int8 by int8."""

_LEVELS = 127
_ZERO_POINT = 128
_SMALLEST_SCALE = np.float32(1e-12)
_SMALLEST_SIDE = 32
"""Smaller matrices, such as a classifier's last, stay as they are: nothing is gained."""


def quantise_weights(model: onnx.ModelProto) -> None:
    """Quantises what the graph multiplies by and looks up: `MatMul`, `Gemm` and `Gather` on float32 constants."""
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    tables = _Tables(model.graph, constants)

    def rewritten() -> Iterator[onnx.NodeProto]:
        for node in model.graph.node:
            weight = _matrix(constants.get(node.input[1])) if _is_product(node) else None
            if weight is not None:
                yield from _blockwise_product(model.graph, node, weight)
            elif node.op_type == "Gather" and _matrix(constants.get(node.input[0])) is not None:
                yield from tables.lookup(node)
            else:
                yield node

    _replace_nodes(model.graph, list(rewritten()))
    if not any(opset.domain == RUNTIME_DOMAIN for opset in model.opset_import):
        model.opset_import.append(helper.make_opsetid(RUNTIME_DOMAIN, 1))


def _is_product(node: onnx.NodeProto) -> bool:
    if node.op_type == "MatMul":
        return True
    plain = {"alpha": 1.0, "beta": 1.0, "transA": 0}
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    return node.op_type == "Gemm" and all(
        attributes.get(name, value) == value for name, value in plain.items()
    )


def _matrix(tensor: onnx.TensorProto | None) -> NDArray[np.float32] | None:
    """A constant that is worth quantising."""
    if tensor is None or tensor.data_type != TensorProto.FLOAT or len(tensor.dims) != 2:
        return None
    return numpy_helper.to_array(tensor) if min(tensor.dims) >= _SMALLEST_SIDE else None


def _blockwise_product(
    graph: onnx.GraphProto, node: onnx.NodeProto, weight: NDArray[np.float32]
) -> Iterator[onnx.NodeProto]:
    transposed = any(attribute.name == "transB" and attribute.i for attribute in node.attribute)
    rows = weight if transposed else weight.T
    outputs, inputs = rows.shape
    packed, scales = quantise_blocks(rows)
    target = node.output[0]
    biased = len(node.input) > 2 and bool(node.input[2])
    names = (f"{target}/weight", f"{target}/scales")
    graph.initializer.append(numpy_helper.from_array(packed, names[0]))
    graph.initializer.append(numpy_helper.from_array(scales, names[1]))
    product = f"{target}/product" if biased else target
    yield helper.make_node(
        "MatMulNBits",
        [node.input[0], *names],
        [product],
        domain=RUNTIME_DOMAIN,
        K=inputs,
        N=outputs,
        bits=8,
        block_size=BLOCK,
        accuracy_level=_INT8_PRODUCTS,
    )
    if biased:
        yield helper.make_node("Add", [product, node.input[2]], [target])


def quantise_blocks(rows: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Eight bits for each entry of [outputs, inputs], around 128.

    Returns:
        uint8 [outputs, blocks, BLOCK], the last block filled up; scales, float32 [outputs * blocks].
    """
    outputs, inputs = rows.shape
    blocks = -(-inputs // BLOCK)
    padded = np.zeros((outputs, blocks * BLOCK), np.float32)
    padded[:, :inputs] = rows
    cut = padded.reshape(outputs, blocks, BLOCK)
    scales = np.maximum(np.abs(cut).max(axis=2) / _LEVELS, _SMALLEST_SCALE).astype(np.float32)
    levels = np.rint(cut / scales[:, :, None]) + _ZERO_POINT
    return levels.astype(np.uint8), scales.reshape(-1)


def _replace_nodes(graph: onnx.GraphProto, nodes: list[onnx.NodeProto]) -> None:
    """Puts other nodes in place of all, and drops the constants that none of them uses any more."""
    del graph.node[:]
    graph.node.extend(nodes)
    used = set(_used_names(graph))
    constants = [constant for constant in graph.initializer if constant.name in used]
    del graph.initializer[:]
    graph.initializer.extend(constants)


def _used_names(graph: onnx.GraphProto) -> Iterator[str]:
    yield from (output.name for output in graph.output)
    for node in graph.node:
        yield from node.input
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from _used_names(attribute.g)


class _Tables:
    """Embedding tables, each quantised once however often it is looked up."""

    def __init__(self, graph: onnx.GraphProto, constants: dict[str, onnx.TensorProto]) -> None:
        self._graph = graph
        self._constants = constants
        self._known: set[str] = set()

    def lookup(self, node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
        """A `Gather` of rows as a lookup of the int8 rows and of their scales."""
        table, ids = node.input
        if table not in self._known:
            self._known.add(table)
            self._quantise(table)
        target = node.output[0]
        yield helper.make_node("Gather", [f"{table}/int8", ids], [f"{target}/row"], axis=0)
        yield helper.make_node("Cast", [f"{target}/row"], [f"{target}/unscaled"], to=TensorProto.FLOAT)
        yield helper.make_node("Gather", [f"{table}/scales", ids], [f"{target}/scale"], axis=0)
        yield helper.make_node("Mul", [f"{target}/unscaled", f"{target}/scale"], [target])

    def _quantise(self, table: str) -> None:
        rows = numpy_helper.to_array(self._constants[table])
        scales = np.maximum(np.abs(rows).max(axis=1, keepdims=True) / _LEVELS, _SMALLEST_SCALE)
        quantised = np.rint(rows / scales).astype(np.int8)
        self._graph.initializer.append(numpy_helper.from_array(quantised, f"{table}/int8"))
        self._graph.initializer.append(numpy_helper.from_array(scales.astype(np.float32), f"{table}/scales"))
