"""How fast the language model's graph runs, with the machine's int8 GEMM limit beside it.

    python -m benchmarks.language_model FOLDER [--threads 2] [--new 16] [--sequences 8] [--past 128]

The limit is the time of the model's own matrix products alone, each run as a graph of its own on as many rows.
Both are medians over rounds that take turns, so that other work on the machine slows both alike.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.causal.artifact import GRAPH_FILE, Description
from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.session import Session, SessionSettings, open_session

PAGE_TOKENS = 16
ROUNDS = 15

Inputs = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Load:
    """What goes through the graph at once: sequences, new tokens of each, cached tokens of each."""

    sequences: int
    new: int
    past: int

    @property
    def rows(self) -> int:
        """New tokens of all sequences."""
        return self.sequences * self.new


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product of the model: int8 weights [inputs, outputs], and how often a pass needs it."""

    inputs: int
    outputs: int
    count: int


def decoder_inputs(description: Description, load: Load) -> Inputs:
    """Random tokens after a random past; every new token is scored."""
    random = np.random.default_rng(0)
    planes, pages = 2 * description.layers, -(-(load.past + load.new) // PAGE_TOKENS)
    rows_of_page = planes * description.kv_heads
    table = np.arange(load.sequences * pages).reshape(1, load.sequences, 1, pages)
    row_in_page = np.arange(rows_of_page).reshape(planes, 1, description.kv_heads, 1)
    shape = (load.sequences * pages * rows_of_page, PAGE_TOKENS * description.head_width)
    return {
        "token_ids": random.integers(0, description.vocabulary, (load.sequences, load.new)),
        "past_lengths": np.full(load.sequences, load.past),
        "past_pages": row_in_page + rows_of_page * table,
        "pages": random.standard_normal(shape, dtype=np.float32).astype(np.float16),
        "scored_rows": np.arange(load.rows),
        "targets": random.integers(0, description.vocabulary, (load.rows, 1)),
        "continued_rows": np.zeros(0, dtype=np.int64),
        "continuations": np.ones(1, dtype=np.int64),
    }


def products_of(graph: Path) -> list[Product]:
    """The shapes of all int8 products in a built graph."""
    import onnx

    model = onnx.load(graph, load_external_data=False)
    shapes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    found = [shapes[node.input[1]] for node in model.graph.node if node.op_type == "MatMulIntegerToFloat"]
    return [
        Product(inputs, outputs, found.count((inputs, outputs))) for inputs, outputs in sorted(set(found))
    ]


def product_session(product: Product, settings: SessionSettings) -> Session:
    """A graph of one product alone."""
    graph = GraphBuilder()
    rows = graph.input("rows", "uint8", ["T", product.inputs])
    weight = np.random.default_rng(0).integers(-127, 128, (product.inputs, product.outputs)).astype(np.int8)
    result = graph.node(
        "MatMulIntegerToFloat",
        rows,
        graph.constant("weight", weight),
        graph.scalar(1),
        graph.constant("scales", np.full(product.outputs, 0.01, dtype=np.float32)),
        graph.constant("zero_point", np.array(128, dtype=np.uint8)),
        domain=RUNTIME_DOMAIN,
    )
    graph.output("result", result, "float32", ["T", product.outputs])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = settings.threads or 0
    return Session(onnxruntime.InferenceSession(graph.model("product").SerializeToString(), options))


def seconds(run: Callable[[], object]) -> float:
    """How long one run takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def measure(folder: Path, load: Load, settings: SessionSettings) -> tuple[float, float]:
    """Seconds of a whole pass, and of its products alone."""
    description = Description.read(folder)
    decoder = open_session(folder / GRAPH_FILE, settings)
    inputs = decoder_inputs(description, load)
    products = products_of(folder / GRAPH_FILE)
    sessions = [product_session(product, settings) for product in products]
    random = np.random.default_rng(0)
    operands = [random.integers(0, 256, (load.rows, product.inputs)).astype(np.uint8) for product in products]

    def one_pass() -> object:
        return decoder.run(inputs, ["nll", "present"], load.rows)

    def alone(session: Session, rows: NDArray[np.uint8]) -> float:
        session.run({"rows": rows}, ["result"], load.rows)
        return seconds(lambda: session.run({"rows": rows}, ["result"], load.rows))

    one_pass()
    passes: list[float] = []
    limits: list[float] = []
    for _ in range(ROUNDS):
        passes.append(seconds(one_pass))
        limits.append(
            sum(
                product.count * alone(session, rows)
                for product, session, rows in zip(products, sessions, operands, strict=True)
            )
        )
    return statistics.median(passes), statistics.median(limits)


def main() -> None:
    """Prints one line: tokens and segments a second, the limit, and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sequences", type=int, default=8)
    parser.add_argument("--new", type=int, default=16)
    parser.add_argument("--past", type=int, default=128)
    arguments = parser.parse_args()
    load = Load(arguments.sequences, arguments.new, arguments.past)
    taken, limit = measure(arguments.folder, load, SessionSettings(threads=arguments.threads, spinning=True))
    sys.stdout.write(
        f"{load.sequences} x {load.new} after {load.past}, {arguments.threads} threads: "
        f"{load.rows / taken:,.0f} tokens/s, {load.sequences / taken:,.0f} segments/s; "
        f"GEMM limit {load.rows / limit:,.0f} tokens/s; ratio {limit / taken:.2f}\n"
    )


if __name__ == "__main__":
    main()
