import numpy as np
import pytest
from numpy.typing import NDArray

from models.building.bert_graph import BertWeights, bert_model
from models.building.products import FloatProducts, Int8Products, quantised
from tests.models.building.encoders import (
    HEADS,
    WIDTH,
    Random,
    Wide,
    applied,
    by_head,
    finished,
    normalised,
    run,
    softmax,
)

IDS = [[3, 1, 4, 1, 5, 9], [2, 6, 5, 0, 0, 0]]
MASK = [[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]]


@pytest.fixture
def weights() -> BertWeights:
    random = Random(7)
    return BertWeights(
        heads=HEADS,
        words=quantised(random.array(10, WIDTH)),
        positions=random.array(16, WIDTH, size=0.3),
        embedding_norm=random.norm(),
        layers=(random.layer(), random.layer()),
    )


def embedded(weights: BertWeights, ids: list[int]) -> Wide:
    table = weights.words.values * weights.words.scales[:, None].astype(np.float64)
    placed: Wide = (table[ids] + weights.positions[: len(ids)]).astype(np.float64)
    rows = normalised(placed, weights.embedding_norm)
    for layer in weights.layers:
        queries, keys, values = by_head(applied(rows, layer.query_key_value))
        looks = softmax(queries @ keys.transpose(0, 2, 1) / np.sqrt(WIDTH // HEADS))
        rows = finished(rows, looks @ values, layer)
    mean: Wide = rows.mean(axis=0)
    return mean / np.linalg.norm(mean)


def expected(weights: BertWeights) -> NDArray[np.float64]:
    return np.array([embedded(weights, IDS[0]), embedded(weights, IDS[1][:3])])


def test_in_float_it_computes_what_the_encoder_computes(weights: BertWeights) -> None:
    vectors = run(bert_model(weights, FloatProducts()), IDS, MASK)

    np.testing.assert_allclose(vectors, expected(weights), atol=2e-6)


def test_in_int8_it_comes_near(weights: BertWeights) -> None:
    vectors = run(bert_model(weights, Int8Products()), IDS, MASK)

    assert (vectors * expected(weights)).sum(axis=1).min() > 0.999


def test_what_shares_a_batch_changes_nothing(weights: BertWeights) -> None:
    model = bert_model(weights, Int8Products())

    np.testing.assert_allclose(run(model, [IDS[1][:3]], [[1, 1, 1]])[0], run(model, IDS, MASK)[1], atol=1e-6)
