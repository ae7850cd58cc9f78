"""From a GGUF file to a folder."""

from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader

from models.causal.artifact import Description
from models.causal.build import build_language_model
from models.causal.vocabulary import read_tokenizer
from models.causal.weights import UnsupportedGGUF, read_weights
from models.interfaces import ScoreRequest
from tests.models.causal.tiny import CONFIG, START_TOKEN, open_tiny_model, tiny_weights, write_tiny_gguf


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return write_tiny_gguf(tmp_path / "tiny.gguf", tiny_weights())


def test_weights_come_back_in_the_half_split_rotary_order(gguf: Path) -> None:
    expected = tiny_weights()
    read = read_weights(GGUFReader(gguf))
    assert read.config == CONFIG
    np.testing.assert_array_equal(read.layers[1].query, expected.layers[1].query)
    np.testing.assert_array_equal(read.layers[0].key, expected.layers[0].key)
    np.testing.assert_array_equal(read.layers[0].down, expected.layers[0].down)


def test_the_same_file_gives_the_same_bytes(gguf: Path, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        build_language_model(gguf, folder, lambda fraction: None)
    one, other = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert one == other


def test_what_is_built_scores(gguf: Path, tmp_path: Path) -> None:
    fractions: list[float] = []
    build_language_model(gguf, tmp_path / "model", fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert Description.read(tmp_path / "model").start_token == START_TOKEN
    [scores] = open_tiny_model(tmp_path / "model").score([ScoreRequest("pa:", " no\n")])
    assert scores.nll.shape == (2,)
    assert np.all(scores.nll > 0)


def test_another_pre_tokenizer_is_refused(tmp_path: Path) -> None:
    path = write_tiny_gguf(tmp_path / "other.gguf", tiny_weights(), pre_tokenizer="llama-bpe")
    with pytest.raises(UnsupportedGGUF, match="llama-bpe"):
        read_tokenizer(GGUFReader(path))
