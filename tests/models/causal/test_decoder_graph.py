"""The graphs against the decoder in plain NumPy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.causal.reference import next_nll, trace
from models.causal.rotation import orthogonal, rotated
from models.causal.start_state import start_state
from models.session import SessionSettings, open_session
from tests.models.causal.tiny import CONFIG, START_TOKEN, tiny_weights

TOLERANCE = {"float32": 2e-3, "int8": 0.4}
PAGE_WIDTH = 16 * CONFIG.head_width


@pytest.fixture(scope="module")
def sequence() -> NDArray[np.int64]:
    return np.append(START_TOKEN, np.random.default_rng(3).integers(3, CONFIG.vocabulary, 40))


def run(folder: Path, tokens: NDArray[np.int64], **changed: NDArray[np.int64]) -> list[NDArray[np.float32]]:
    """Runs a whole sequence without any past: NLLs of its own next tokens, and continuations."""
    session = open_session(folder / "model.onnx", SessionSettings(threads=1))
    length = len(tokens) - 1
    inputs: dict[str, NDArray[Any]] = {
        "token_ids": tokens[None, :-1],
        "past_lengths": np.zeros(1, dtype=np.int64),
        "past_pages": np.zeros((2 * CONFIG.layers, 1, CONFIG.kv_heads, -(-length // 16)), dtype=np.int64),
        "pages": np.zeros((1, PAGE_WIDTH), dtype=np.float16),
        "scored_rows": np.arange(length),
        "targets": tokens[1:, None],
        "continued_rows": np.zeros(0, dtype=np.int64),
        "continuations": np.ones(1, dtype=np.int64),
    }
    inputs.update(changed)
    return session.run(inputs, ["nll", "continuation_ids", "continuation_nll", "present"], length)


def test_token_nlls_are_those_of_the_reference(tiny_model: Path, sequence: NDArray[np.int64]) -> None:
    weights = tiny_weights()
    expected = next_nll(weights, trace(weights, sequence[:-1]).residual)
    nll = run(tiny_model, sequence)[0][:, 0]
    precision = "int8" if "int8" in tiny_model.name else "float32"
    error = np.abs(nll - expected[np.arange(len(nll)), sequence[1:]])
    assert error.max() < TOLERANCE[precision]


def test_several_candidates_of_a_row_are_scored_at_once(
    tiny_model: Path, sequence: NDArray[np.int64]
) -> None:
    everything = np.tile(np.arange(CONFIG.vocabulary), (40, 1))
    nll = run(tiny_model, sequence, targets=everything)[0]
    np.testing.assert_allclose(np.exp(-nll).sum(axis=1), 1, rtol=1e-5)


def test_the_likeliest_continuations_come_for_chosen_rows(
    tiny_model: Path, sequence: NDArray[np.int64]
) -> None:
    chosen = np.array([4, 17])
    everything = np.tile(np.arange(CONFIG.vocabulary), (40, 1))
    nll, ids, continuation_nll, _ = run(
        tiny_model, sequence, targets=everything, continued_rows=chosen, continuations=np.array([3])
    )
    np.testing.assert_array_equal(ids, np.argsort(nll[chosen], axis=1, kind="stable")[:, :3])
    np.testing.assert_array_equal(
        continuation_nll, np.take_along_axis(nll[chosen], ids.astype(np.int64), axis=1)
    )


def test_a_rotated_model_computes_the_same(sequence: NDArray[np.int64]) -> None:
    weights = tiny_weights()
    turned = rotated(weights)
    plain = next_nll(weights, trace(weights, sequence).residual)
    np.testing.assert_allclose(next_nll(turned, trace(turned, sequence).residual), plain, atol=1e-4)


@pytest.mark.parametrize("size", [1, 9, 32, 576])
def test_a_rotation_is_orthogonal_and_spreads_evenly(size: int) -> None:
    rotation = orthogonal(size)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(size), atol=1e-12)
    assert np.abs(rotation).max() <= 1.5 / np.sqrt(size)


def test_the_start_state_is_what_a_sequence_begins_with(sequence: NDArray[np.int64]) -> None:
    weights = tiny_weights()
    start = start_state(weights, START_TOKEN)
    traced = trace(weights, sequence)
    np.testing.assert_allclose(start.keys_values, traced.keys_values[:, :, 0], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(start.next_nll, next_nll(weights, traced.residual)[0], atol=1e-4)
