"""Small edits of ONNX graphs, so that every embedding and every NLI model has the same inputs and outputs.

All of them take token ids and give back only what is asked for: a vector, or a probability.
"""

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from models.errors import ModelBuildFailed
from models.layout import CONTRADICTION_OUTPUT, EMBEDDING_OUTPUT, GRAPH, WEIGHTS

_LARGEST_FILE = 2**31 - 1

_SMALLEST_EXTERNAL_BYTES = 1024

_AXES_AS_INPUT = 18
"""From this opset on the reductions take their axes as an input."""


def free_dimensions(model: onnx.ModelProto) -> None:
    """Frees batch and length of the inputs, and drops recorded shapes that would no longer hold."""
    for value in model.graph.input:
        dimensions = value.type.tensor_type.shape.dim
        dimensions[0].dim_param = "batch"
        dimensions[1].dim_param = "tokens"
    del model.graph.value_info[:]


def append_mean_pooling(model: onnx.ModelProto) -> None:
    """Turns token states into a unit vector per text: the mean over the attention mask, then L2-normalised.

    The first output must be the token states, float [batch, tokens, dimension]; it is replaced by
    `sentence_embedding`, float [batch, dimension].
    """
    states = model.graph.output[0]
    dimension = states.type.tensor_type.shape.dim[2].dim_value
    _add_constant(model, "pooling/token_axis", np.array([1], np.int64))
    _add_constant(model, "pooling/last_axis", np.array([-1], np.int64))
    model.graph.node.extend(
        [
            helper.make_node("Cast", ["attention_mask"], ["pooling/mask"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["pooling/mask", "pooling/last_axis"], ["pooling/weights"]),
            helper.make_node("Mul", [states.name, "pooling/weights"], ["pooling/weighted"]),
            helper.make_node(
                "ReduceSum", ["pooling/weighted", "pooling/token_axis"], ["pooling/sum"], keepdims=0
            ),
            # The mean's divisor cancels out in the normalisation.
            _last_axis_norm(model, "pooling/sum", "pooling/norm"),
            helper.make_node("Div", ["pooling/sum", "pooling/norm"], [EMBEDDING_OUTPUT]),
        ]
    )
    _replace_outputs(model, EMBEDDING_OUTPUT, ["batch", dimension])


def append_first_token_pooling(model: onnx.ModelProto) -> None:
    """Turns token states into a unit vector per text: the state of the first token, L2-normalised.

    The first output must be the token states, float [batch, tokens, dimension]; it is replaced by
    `sentence_embedding`, float [batch, dimension].
    """
    states = model.graph.output[0]
    dimension = states.type.tensor_type.shape.dim[2].dim_value
    _add_constant(model, "pooling/first_token", np.array(0, np.int64))
    _add_constant(model, "pooling/last_axis", np.array([-1], np.int64))
    model.graph.node.extend(
        [
            helper.make_node("Gather", [states.name, "pooling/first_token"], ["pooling/state"], axis=1),
            _last_axis_norm(model, "pooling/state", "pooling/norm"),
            helper.make_node("Div", ["pooling/state", "pooling/norm"], [EMBEDDING_OUTPUT]),
        ]
    )
    _replace_outputs(model, EMBEDDING_OUTPUT, ["batch", dimension])


def append_contradiction_probability(model: onnx.ModelProto, label: int) -> None:
    """Turns class logits into the probability of one class.

    The first output must be the logits, float [batch, classes]; it is replaced by
    `contradiction_probability`, float [batch].

    Args:
        model: The classifier.
        label: Which class is contradiction.
    """
    logits = model.graph.output[0].name
    _add_constant(model, "contradiction/label", np.array(label, np.int64))
    model.graph.node.extend(
        [
            helper.make_node("Softmax", [logits], ["contradiction/probabilities"], axis=-1),
            helper.make_node(
                "Gather",
                ["contradiction/probabilities", "contradiction/label"],
                [CONTRADICTION_OUTPUT],
                axis=1,
            ),
        ]
    )
    _replace_outputs(model, CONTRADICTION_OUTPUT, ["batch"])


def save_graph(model: onnx.ModelProto, path: Path) -> None:
    """Writes the graph into one file; the same graph gives the same bytes.

    Raises:
        ModelBuildFailed: the graph is larger than the format allows for one file.
    """
    if model.ByteSize() > _LARGEST_FILE:
        raise ModelBuildFailed(
            f"The graph has {model.ByteSize() / 2**30:.1f} GiB; one ONNX file holds up to 2 GiB."
        )
    path.write_bytes(model.SerializeToString(deterministic=True))


def save_graph_and_weights(model: onnx.ModelProto, folder: Path) -> None:
    """Writes the graph, and its weights beside it: from there the runtime maps them instead of copying them."""
    weights = folder / WEIGHTS
    weights.unlink(missing_ok=True)  # the library would append to it
    onnx.save_model(
        model,
        folder / GRAPH,
        save_as_external_data=True,
        location=WEIGHTS,
        size_threshold=_SMALLEST_EXTERNAL_BYTES,
    )
    weights.chmod(0o644)


def _add_constant(model: onnx.ModelProto, name: str, array: NDArray[np.int64]) -> None:
    model.graph.initializer.append(numpy_helper.from_array(array, name))


def _last_axis_norm(model: onnx.ModelProto, source: str, target: str) -> onnx.NodeProto:
    opset = next(entry.version for entry in model.opset_import if entry.domain in {"", "ai.onnx"})
    if opset >= _AXES_AS_INPUT:
        return helper.make_node("ReduceL2", [source, "pooling/last_axis"], [target], keepdims=1)
    return helper.make_node("ReduceL2", [source], [target], axes=[-1], keepdims=1)


def _replace_outputs(model: onnx.ModelProto, name: str, shape: list[str | int]) -> None:
    del model.graph.output[:]
    model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
