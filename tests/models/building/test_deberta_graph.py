import numpy as np
import pytest

from models.building.deberta_graph import DebertaWeights, DistanceTables, UnsignedTable, deberta_model
from models.building.deberta_weights import _buckets
from models.building.encoder_layers import Linear
from models.building.products import FloatProducts, Int8Products
from tests.models.building.encoders import (
    HEADS,
    WIDTH,
    Random,
    Wide,
    applied,
    by_head,
    finished,
    gelu,
    normalised,
    run,
    softmax,
)

POSITIONS = 8
IDS = [[3, 1, 4, 1, 5, 9, 2, 6], [2, 6, 5, 0, 0, 0, 0, 0]]
MASK = [[1] * 8, [1, 1, 1, 0, 0, 0, 0, 0]]


@pytest.fixture
def weights() -> DebertaWeights:
    random = Random(11)
    values = np.random.default_rng(1).integers(0, 256, (10, WIDTH)).astype(np.uint8)
    distances = tuple(
        DistanceTables(
            random.array(HEADS, 2 * POSITIONS - 1, WIDTH // HEADS, size=0.5),
            random.array(HEADS, 2 * POSITIONS - 1, WIDTH // HEADS, size=0.5),
        )
        for _ in range(2)
    )
    return DebertaWeights(
        heads=HEADS,
        positions=POSITIONS,
        words=UnsignedTable(values, 0.02),
        embedding_norm=random.norm(),
        layers=(random.layer(), random.layer()),
        distances=distances,
        pooler=random.linear(WIDTH, WIDTH),
        classes=Linear(random.array(2, WIDTH, size=0.5), random.array(2)),
        contradiction=1,
    )


def contradiction(weights: DebertaWeights, ids: list[int]) -> float:
    """What the graph should compute; the table's zero point is 7 here, and must not matter."""
    table = (weights.words.values[ids].astype(np.float64) - 7) * weights.words.scale
    rows = normalised(table, weights.embedding_norm)
    count = len(ids)
    for layer, distances in zip(weights.layers, weights.distances, strict=True):
        queries, keys, values = by_head(applied(rows, layer.query_key_value))
        scores: Wide = queries @ keys.transpose(0, 2, 1)
        for query in range(count):
            for key in range(count):
                to_key = distances.keys[:, key - query + POSITIONS - 1]
                to_query = distances.queries[:, query - key + POSITIONS - 1]
                scores[:, query, key] += (queries[:, query] * to_key).sum(axis=1)
                scores[:, query, key] += (keys[:, key] * to_query).sum(axis=1)
        rows = finished(rows, softmax(scores) @ values, layer)
    logits = applied(gelu(applied(rows[:1], weights.pooler)), weights.classes)
    return float(softmax(logits)[0, weights.contradiction])


def test_in_float_it_computes_what_the_classifier_computes(weights: DebertaWeights) -> None:
    probabilities = run(deberta_model(weights, FloatProducts()), IDS, MASK)

    expected = [contradiction(weights, IDS[0]), contradiction(weights, IDS[1][:3])]
    np.testing.assert_allclose(probabilities, expected, atol=2e-5)


def test_in_int8_it_comes_near(weights: DebertaWeights) -> None:
    exact = run(deberta_model(weights, FloatProducts()), IDS, MASK)

    np.testing.assert_allclose(run(deberta_model(weights, Int8Products()), IDS, MASK), exact, atol=0.03)


def test_what_shares_a_batch_changes_nothing(weights: DebertaWeights) -> None:
    model = deberta_model(weights, Int8Products())

    np.testing.assert_allclose(run(model, [IDS[1][:3]], [[1, 1, 1]])[0], run(model, IDS, MASK)[1], atol=1e-6)


def test_near_distances_have_a_bucket_each_and_far_ones_share() -> None:
    buckets = _buckets(np.arange(-511, 512))

    np.testing.assert_array_equal(buckets[511 - 128 : 511 + 129], np.arange(-128, 129))
    np.testing.assert_array_equal(buckets, -buckets[::-1])
    assert buckets.max() == 255
    assert len(set(buckets[511 + 129 :])) < 383
