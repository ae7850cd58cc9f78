"""How fast the language model's graph runs, with the machine's int8 GEMM limit beside it.

    python -m benchmarks.language_model FOLDER [--passes 2] [--sequences 8] [--new 16] [--past 128] [--table] [--json]

Passes of one thread each run side by side, as in the service. The limit is the time of the model's own matrix
products alone at 128 rows, each as a graph of its own: the better of one session of that many threads, and of that
many sessions of one thread side by side. There the products of one shape share a weight, which so stays in the
processor's cache; a second, lower limit gives each product a weight of its own, as the model has. All are medians over
rounds that take turns, so that other work on the machine slows all alike; no thread spins into another's turn.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.causal.artifact import GRAPH_FILE, Description
from models.causal.graph_builder import RUNTIME_DOMAIN, GraphBuilder
from models.session import Session, SessionSettings, open_session

PAGE_TOKENS = 16
LIMIT_ROWS = 128
ROUNDS = 15
TABLE = tuple(
    (sequences, new, past) for past in (0, 128, 384) for new in (4, 16, 48) for sequences in (1, 3, 8)
)

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


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast passes of one load are, side by side, and how near that is to the limit measured beside it."""

    sequences: int
    new: int
    past: int
    passes_at_once: int
    tokens_per_second: float
    segments_per_second: float
    limit_tokens_per_second: float
    ratio: float
    own_weights_limit_tokens_per_second: float
    own_weights_ratio: float


def product_session(product: Product, threads: int) -> Session:
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
    options.intra_op_num_threads = threads
    # Threads that still spin after one product would take the processor from the next, or from another's turn.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return Session(onnxruntime.InferenceSession(graph.model("product").SerializeToString(), options))


def products_run(products: list[Product], threads: int, own_weights: bool = False) -> Callable[[], object]:
    """Runs all products of a pass, `LIMIT_ROWS` rows each, as often as a pass needs them.

    Args:
        products: Of a pass.
        threads: Of each session.
        own_weights: Whether products of one shape have a weight each, instead of one that they share.
    """
    random = np.random.default_rng(0)
    prepared: list[tuple[Session, NDArray[np.uint8]]] = []
    for product in products:
        rows = random.integers(0, 256, (LIMIT_ROWS, product.inputs)).astype(np.uint8)
        sessions = [product_session(product, threads) for _ in range(product.count if own_weights else 1)]
        prepared += [(session, rows) for session in sessions * (product.count // len(sessions))]

    def run() -> None:
        for session, rows in prepared:
            session.run({"rows": rows}, ["result"], LIMIT_ROWS)

    return run


def measure(folder: Path, loads: list[Load], passes_at_once: int) -> list[Speed]:
    """Measures every load, each with the limit beside it."""
    description = Description.read(folder)
    decoder = open_session(folder / GRAPH_FILE, SessionSettings(threads=1))
    products = products_of(folder / GRAPH_FILE)
    one_session = products_run(products, passes_at_once)
    side_by_side = [products_run(products, 1) for _ in range(passes_at_once)]
    own_weights = products_run(products, 1, own_weights=True)
    with ThreadPoolExecutor(passes_at_once) as threads:

        def together(runs: list[Callable[[], object]]) -> float:
            started = time.perf_counter()
            for running in [threads.submit(run) for run in runs]:
                running.result()
            return time.perf_counter() - started

        def speed(load: Load) -> Speed:
            inputs = decoder_inputs(description, load)

            def one_pass() -> object:
                return decoder.run(inputs, ["nll", "present"], load.rows)

            # Runs, and the tokens that go through them together.
            kinds: list[tuple[list[Callable[[], object]], int]] = [
                ([one_pass] * passes_at_once, load.rows * passes_at_once),
                ([one_session], LIMIT_ROWS),
                ([*side_by_side], LIMIT_ROWS * passes_at_once),
                ([own_weights] * passes_at_once, LIMIT_ROWS * passes_at_once),
            ]
            for runs, _ in kinds:
                together(runs)
            taken = [[together(runs) for runs, _ in kinds] for _ in range(ROUNDS)]
            rates = [
                tokens / statistics.median(times)
                for (_, tokens), times in zip(kinds, zip(*taken, strict=True), strict=True)
            ]
            limit = max(rates[1:3])
            return Speed(
                load.sequences,
                load.new,
                load.past,
                passes_at_once,
                rates[0],
                rates[0] / load.new,
                limit,
                rates[0] / limit,
                rates[3],
                rates[0] / rates[3],
            )

        return [speed(load) for load in loads]


def main() -> None:
    """Prints a line for each load: tokens and segments a second, the limit, and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--sequences", type=int, default=8)
    parser.add_argument("--new", type=int, default=16)
    parser.add_argument("--past", type=int, default=128)
    parser.add_argument("--table", action="store_true", help="many loads instead of one")
    parser.add_argument("--json", action="store_true", help="plain data instead of lines")
    arguments = parser.parse_args()
    one = Load(arguments.sequences, arguments.new, arguments.past)
    loads = [Load(*shape) for shape in TABLE] if arguments.table else [one]
    speeds = measure(arguments.folder, loads, arguments.passes)
    if arguments.json:
        sys.stdout.write(json.dumps([asdict(speed) for speed in speeds], indent=2) + "\n")
        return
    for speed in speeds:
        sys.stdout.write(
            f"{speed.sequences} x {speed.new} after {speed.past}, {speed.passes_at_once} passes at once: "
            f"{speed.tokens_per_second:,.0f} tokens/s, {speed.segments_per_second:,.0f} segments/s; "
            f"GEMM limit {speed.limit_tokens_per_second:,.0f} tokens/s; ratio {speed.ratio:.2f}; "
            f"{speed.own_weights_ratio:.2f} of the limit with own weights\n"
        )


if __name__ == "__main__":
    main()
