"""Puts the scoring of tokens into a causal language model's graph, so that no logits leave it.

Only the rows that are asked for go through the output projection, which for short texts after long contexts is
most of what a small model computes.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.errors import ModelBuildFailed
from models.layout import NLL_OUTPUT, SCORED_ROWS_INPUT, TARGETS_INPUT

_SHAPE_KEEPING = frozenset({"Cast", "Identity"})


def append_token_nll(model: onnx.ModelProto) -> None:
    """Replaces the logits by the negative log-likelihood of given tokens.

    The first output must be the logits, float [batch, tokens, vocabulary], a matrix product with or without a
    bias. Added inputs: `scored_rows`, int64 [scored], rows of the flattened [batch * tokens]; `targets`, int64
    [scored], the token after each. The only output is `nll`, float [scored], in nats.

    Raises:
        ModelBuildFailed: the graph does not end in a matrix product.
    """
    graph = model.graph
    logits = graph.output[0].name
    projection = _projection(graph, logits)
    states = projection.input[0]
    position = list(graph.node).index(projection)
    graph.node.insert(
        position, helper.make_node("Gather", ["nll/rows", SCORED_ROWS_INPUT], ["nll/scored"], axis=0)
    )
    graph.node.insert(position, helper.make_node("Flatten", [states], ["nll/rows"], axis=2))
    projection.input[0] = "nll/scored"
    graph.initializer.append(numpy_helper.from_array(np.array([1], np.int64), "nll/last_axis"))
    graph.node.extend(
        [
            helper.make_node("Cast", [logits], ["nll/logits"], to=TensorProto.FLOAT),
            helper.make_node("LogSoftmax", ["nll/logits"], ["nll/log_probabilities"], axis=-1),
            helper.make_node("Unsqueeze", [TARGETS_INPUT, "nll/last_axis"], ["nll/columns"]),
            helper.make_node(
                "GatherElements", ["nll/log_probabilities", "nll/columns"], ["nll/column"], axis=1
            ),
            helper.make_node("Squeeze", ["nll/column", "nll/last_axis"], ["nll/log_likelihood"]),
            helper.make_node("Neg", ["nll/log_likelihood"], [NLL_OUTPUT]),
        ]
    )
    for name in (SCORED_ROWS_INPUT, TARGETS_INPUT):
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.INT64, ["scored"]))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(NLL_OUTPUT, TensorProto.FLOAT, ["scored"]))


def _projection(graph: onnx.GraphProto, logits: str) -> onnx.NodeProto:
    makers: dict[str, onnx.NodeProto] = {name: node for node in graph.node for name in node.output}
    constants = {constant.name for constant in graph.initializer}
    value = logits
    while node := makers.get(value):
        if node.op_type == "MatMul":
            return node
        if node.op_type in _SHAPE_KEEPING:
            value = node.input[0]
        elif node.op_type == "Add":
            value = next((name for name in node.input if name not in constants), "")
        else:
            break
    raise ModelBuildFailed(
        "The language model's graph does not end in a matrix product that gives the logits."
    )
