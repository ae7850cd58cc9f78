"""Builds the contradiction classifier: the package's graph with free lengths and float32 products.

The package's graph was traced at 160 tokens and quantises activations with one scale per tensor, so that padding
and batch mates change an answer by up to 0.05. Here the int8 weights stay, and the products are computed in
float32: about as fast at the lengths of speech, and a pair's answer is its own.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from models.building.graph import (
    append_contradiction_probability,
    free_dimensions,
    replace_nodes,
    save_graph,
)
from models.layout import GRAPH, TOKENIZER
from models.progress import Report

_CONTRADICTORY = 1
"""The package's classes: not contradictory, contradictory."""


def build_contradiction_classifier(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    """Builds from the roles `graph` (ONNX, class logits as first output) and `tokenizer`."""
    report("build contradiction classifier", 0.0)
    model = onnx.load_model(sources["graph"])
    free_dimensions(model)
    multiply_in_float(model)
    append_contradiction_probability(model, _CONTRADICTORY)
    save_graph(model, output / GRAPH)
    shutil.copyfile(sources["tokenizer"], output / TOKENIZER)
    report("build contradiction classifier", 1.0)


def multiply_in_float(model: onnx.ModelProto) -> None:
    """Replaces dynamically quantised products by float32 products with the same int8 weights.

    Every `DynamicQuantizeLinear, MatMulInteger, Cast, Mul` with a symmetric weight and one scale becomes
    `MatMul(input, Cast(weight) * scale)`; the weight's part is constant and is folded when the graph is loaded.
    """
    graph = model.graph
    makers = {name: node for node in graph.node for name in node.output}
    users = {name: node for node in graph.node for name in node.input}
    replaced: dict[str, list[onnx.NodeProto]] = {}
    dropped: set[str] = set()
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        quantise = makers[node.input[0]]
        cast = users[node.output[0]]
        rescale = users[cast.output[0]]
        scales = makers[next(name for name in rescale.input if name != cast.output[0])]
        replaced[rescale.output[0]] = list(_float_product(node, quantise.input[0], rescale.output[0]))
        dropped |= {node.output[0], cast.output[0], scales.output[0], quantise.output[0]}

    def rewritten() -> Iterator[onnx.NodeProto]:
        for node in graph.node:
            if node.output[0] in replaced:
                yield from replaced[node.output[0]]
            elif node.output[0] not in dropped:
                yield node

    replace_nodes(model, rewritten())


def _float_product(product: onnx.NodeProto, source: str, target: str) -> Iterator[onnx.NodeProto]:
    weight = product.input[1]
    scale = f"{weight.removesuffix('_quantized')}_scale"
    yield helper.make_node("Cast", [weight], [f"{target}_weight_unscaled"], to=TensorProto.FLOAT)
    yield helper.make_node("Mul", [f"{target}_weight_unscaled", scale], [f"{target}_weight"])
    yield helper.make_node("MatMul", [source, f"{target}_weight"], [target])
