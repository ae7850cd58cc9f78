"""The comparison of an exported model with its float32 graph, on built models that stand for both."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from models.errors import ModelExportFailed
from models.export.entry import Exported, entry_of
from models.export.parity import Measure, Parity, Utterance, measure_parity, spearman
from models.layout import GRAPH
from models.manifest import ModelEntry, Purpose
from models.store import ModelStore

SAID = (
    ("Clinician", "How can I help you today?"),
    ("Patient", "I have had a headache for four days, it is throbbing."),
    ("Clinician", "Any nausea or vomiting?"),
    ("Patient", "No, no vomiting, but bright light hurts."),
    ("Clinician", "Have you taken anything for it?"),
    ("Patient", "Ibuprofen, it helped a little."),
)
CALLS = [[Utterance(*said) for said in SAID], [Utterance(*said) for said in SAID[:3]]]

BUILT: Mapping[Purpose, str] = {
    "language_model": "smollm2-135m-instruct",
    "embedding": "all-minilm-l6-v2",
    "contradiction": "deberta-v3-xsmall-contradiction",
}


def entry(folder: Path, purpose: Purpose) -> ModelEntry:
    return entry_of(folder, Exported("own", purpose, "Own", "MIT"), max_tokens=256)


@pytest.mark.parametrize("purpose", BUILT)
def test_a_model_is_at_no_distance_from_itself(purpose: Purpose, built_models: ModelStore) -> None:
    itself = entry(built_models.path(BUILT[purpose]), purpose)

    parity = measure_parity(itself, itself, CALLS)

    assert parity.passed
    assert parity.size == 1
    assert parity.speed > 0
    for measure in parity.measures:
        assert measure.value == pytest.approx(1 if measure.higher_is_better else 0, abs=1e-5)


def test_a_damaged_model_does_not_pass(built_models: ModelStore, tmp_path: Path) -> None:
    folder = built_models.path(BUILT["embedding"])
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    model = onnx.load_model(folder / GRAPH)
    vectors = [
        one
        for one in model.graph.initializer
        if one.data_type == onnx.TensorProto.FLOAT and len(one.dims) == 1 and one.dims[0] > 1
    ]
    for vector in vectors[::3]:
        noise = np.random.default_rng(0).uniform(-1, 3, vector.dims).astype(np.float32)
        vector.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(vector) * noise, vector.name))
    onnx.save_model(model, damaged / GRAPH)

    parity = measure_parity(entry(folder, "embedding"), entry(damaged, "embedding"), CALLS)

    assert vectors
    assert not parity.passed


@pytest.mark.parametrize("calls", [[], [[]], [[Utterance("Patient", " ")] * 9]])
def test_without_utterances_there_is_nothing_to_compare(
    calls: list[list[Utterance]], built_models: ModelStore
) -> None:
    itself = entry(built_models.path(BUILT["embedding"]), "embedding")

    with pytest.raises(ModelExportFailed, match="too few utterances"):
        measure_parity(itself, itself, calls)


@pytest.mark.parametrize(
    ("value", "higher_is_better", "passed"),
    [
        (0.5, True, True),
        (0.4, True, False),
        (0.5, False, True),
        (0.6, False, False),
        (float("nan"), True, False),
        (float("nan"), False, False),
    ],
)
def test_a_measure_passes_at_its_bar_and_on_its_good_side(
    value: float, higher_is_better: bool, passed: bool
) -> None:
    assert Measure("x", value, 0.5, higher_is_better).passed is passed


def test_the_report_is_written_as_json(tmp_path: Path) -> None:
    Parity(7, (Measure("x", 0.4, 0.5, higher_is_better=True),), 2.0, 0.3).write(tmp_path)

    written = json.loads((tmp_path / "parity.json").read_text())
    assert (written["compared"], written["passed"]) == (7, False)
    assert written["measures"] == [{"name": "x", "value": 0.4, "bar": 0.5, "higher_is_better": True}]


def test_rank_correlation_sees_order_alone() -> None:
    assert spearman([1, 2, 3, 4], [1, 10, 100, 1000]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


def test_what_was_said_is_in_no_repr() -> None:
    assert "headache" not in repr(CALLS)
