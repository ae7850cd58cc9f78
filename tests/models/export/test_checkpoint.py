import json
from pathlib import Path
from typing import Any

import pytest

from models.errors import ModelExportFailed
from models.export.checkpoint import Checkpoint, obtain_checkpoint


def checkpoint(folder: Path, **files: Any) -> Checkpoint:
    for name, content in {"config": {}, **files}.items():
        path = folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))
    return obtain_checkpoint(str(folder))


def test_a_folder_without_a_config_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelExportFailed, match=r"holds no config\.json"):
        obtain_checkpoint(str(tmp_path))


def test_the_shortest_stated_limit_counts(tmp_path: Path) -> None:
    found = checkpoint(
        tmp_path,
        config={"max_position_embeddings": 512},
        sentence_bert_config={"max_seq_length": 128},
        tokenizer_config={"model_max_length": 1e30},
    )

    assert found.max_tokens() == 128


def test_without_a_stated_limit_there_is_none(tmp_path: Path) -> None:
    assert checkpoint(tmp_path).max_tokens() is None


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}, "first_token"),
        ({}, "mean"),
    ],
)
def test_pooling_is_what_its_file_says(tmp_path: Path, modes: dict[str, bool], expected: str) -> None:
    assert checkpoint(tmp_path, **{"1_Pooling__config": modes}).pooling() == expected


def test_other_pooling_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelExportFailed, match="pooling_mode_max_tokens"):
        checkpoint(tmp_path, **{"1_Pooling__config": {"pooling_mode_max_tokens": True}}).pooling()


def test_a_layer_after_pooling_is_refused(tmp_path: Path) -> None:
    modules = [
        {"type": "sentence_transformers.models.Transformer"},
        {"type": "sentence_transformers.models.Dense"},
    ]

    with pytest.raises(ModelExportFailed, match="module Dense"):
        checkpoint(tmp_path, modules=modules).pooling()


def test_the_class_named_contradiction_is_found(tmp_path: Path) -> None:
    labels = {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}

    assert checkpoint(tmp_path, config={"id2label": labels}).contradiction_label() == 2


@pytest.mark.parametrize(
    "labels", [{}, {"0": "LABEL_0", "1": "LABEL_1"}, {"0": "not contradictory", "1": "other"}]
)
def test_without_such_a_class_the_names_are_told(tmp_path: Path, labels: dict[str, str]) -> None:
    with pytest.raises(ModelExportFailed, match="exactly one must be named contradiction"):
        checkpoint(tmp_path, config={"id2label": labels}).contradiction_label()


def test_the_start_token_is_the_one_that_begins_or_ends_a_text(tmp_path: Path) -> None:
    assert checkpoint(tmp_path, config={"bos_token_id": 1, "eos_token_id": 2}).start_token() == 1
    assert checkpoint(tmp_path, config={"bos_token_id": None, "eos_token_id": 2}).start_token() == 2
    with pytest.raises(ModelExportFailed, match="neither bos_token_id"):
        checkpoint(tmp_path, config={}).start_token()
