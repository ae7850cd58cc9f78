"""What the language model's speed is held against."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.language_model import (
    LIMIT_ROWS,
    Load,
    Product,
    decoder_inputs,
    measure,
    product_session,
    products_of,
)
from models.causal.artifact import Description
from models.session import SessionSettings, open_session
from tests.models.causal.tiny import CONFIG, write_tiny_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("tiny") / "int8", "int8")


def test_every_weight_of_the_model_is_among_the_products(model: Path) -> None:
    width, kv_width = CONFIG.width, CONFIG.kv_heads * CONFIG.head_width
    attention = width * (width + 2 * kv_width) + width * width
    expected = CONFIG.layers * (attention + 3 * width * CONFIG.feed_forward) + width * CONFIG.vocabulary
    products = products_of(model / "model.onnx")
    assert sum(product.inputs * product.outputs * product.count for product in products) == expected


def test_a_product_alone_is_run_as_in_the_model() -> None:
    session = product_session(Product(inputs=32, outputs=5, count=1), threads=1)
    rows = np.full((LIMIT_ROWS, 32), 128, dtype=np.uint8)
    [result] = session.run({"rows": rows}, ["result"], LIMIT_ROWS)
    np.testing.assert_array_equal(result, np.zeros((LIMIT_ROWS, 5)))


def test_every_new_token_of_a_load_is_scored(model: Path) -> None:
    load = Load(sequences=3, new=4, past=20)
    session = open_session(model / "model.onnx", SessionSettings(threads=1))
    [nll] = session.run(decoder_inputs(Description.read(model), load), ["nll"], load.rows)
    assert nll.shape == (12, 1)


def test_ratios_are_of_the_limits_beside_them(model: Path) -> None:
    [speed] = measure(model, [Load(sequences=2, new=4, past=16)], passes_at_once=2)
    assert speed.segments_per_second == pytest.approx(speed.tokens_per_second / 4)
    assert speed.ratio == pytest.approx(speed.tokens_per_second / speed.limit_tokens_per_second)
    assert speed.own_weights_ratio == pytest.approx(
        speed.tokens_per_second / speed.own_weights_limit_tokens_per_second
    )
