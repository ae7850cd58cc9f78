"""Exports through optimum, of tiny random models; `tests/service/commands/test_export.py` exports real ones."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer

from models.causal.language_model import CausalLanguageModel
from models.errors import ModelExportFailed
from models.export.entry import Exported
from models.export.exporter import BelowBar, Precision, Request, export_model
from models.export.parity import Measure, Parity, Utterance
from models.exported_language_model import ExportedLanguageModel
from models.interfaces import ScoreRequest
from models.layout import TOKENIZER
from models.loading import load_contradiction_classifier, load_language_model
from models.manifest import load_manifest
from models.session import SessionSettings
from models.store import ModelStore
from tests.models.tiny import WORDS, write_word_tokenizer

ONE = SessionSettings(threads=1)

CALLS = [[Utterance("Patient", text) for text in ("one two", "three four", "four", "two one", "three")]]
"""In the few words that the tiny models know."""

EMBEDDING = Exported("own", "embedding", "Own", "MIT")


@pytest.fixture(autouse=True)
def _no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def exported(checkpoint: Path, output: Path, purpose: Any, precision: Precision = "float32") -> ModelStore:
    request = Request(
        str(checkpoint),
        Exported("own", purpose, "Own", "Apache-2.0"),
        precision=precision,
        keep_below_bar=True,  # tiny random models are no good measure of the bar
    )
    made = export_model(request, output, CALLS)
    return ModelStore(output.parent / "store", load_manifest([made.manifest]))


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


def tiny_llama(folder: Path, **config: Any) -> Path:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(4)
    sizes: dict[str, Any] = {
        "vocab_size": len(WORDS),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 128,
        "bos_token_id": 2,
        "initializer_range": 0.2,
    }
    return write_tiny(folder, LlamaForCausalLM(LlamaConfig(**sizes | config)))


@pytest.mark.export
@pytest.mark.parametrize(("precision", "error"), [("float32", 2e-3), ("int8", 0.2)])
def test_a_llama_is_built_as_the_default_model_is(precision: Precision, error: float, tmp_path: Path) -> None:
    pytest.importorskip("optimum")
    source = tiny_llama(tmp_path / "tiny")
    # A scaled rotary embedding of factor one is the same model, and is left to optimum.
    plain = tiny_llama(tmp_path / "scaled", rope_scaling={"rope_type": "linear", "factor": 1.0})

    built = load_language_model(exported(source, tmp_path / "built", "language_model", precision), "own", ONE)
    graph = load_language_model(exported(plain, tmp_path / "graph", "language_model"), "own", ONE)

    assert isinstance(built, CausalLanguageModel)
    assert isinstance(graph, ExportedLanguageModel)
    requests = [ScoreRequest("one two ", "three four"), ScoreRequest("", "four one two two")]
    for one, other in zip(built.score(requests), graph.score(requests), strict=True):
        np.testing.assert_allclose(one.nll, other.nll, atol=error)
        assert np.array_equal(one.spans, other.spans)


@pytest.mark.export
def test_another_language_model_is_quantised_where_it_is_large_enough(tmp_path: Path) -> None:
    pytest.importorskip("optimum")
    source = tiny_llama(tmp_path / "tiny", rope_scaling={"rope_type": "linear", "factor": 2.0})

    models = {
        precision: load_language_model(
            exported(source, tmp_path / precision, "language_model", precision), "own", ONE
        )
        for precision in ("float32", "int8")
    }

    requests = [ScoreRequest("one two ", "three four"), ScoreRequest("", "four one two two")]
    plain, quantised = (models[precision].score(requests) for precision in ("float32", "int8"))
    for one, other in zip(plain, quantised, strict=True):
        np.testing.assert_allclose(other.nll, one.nll, atol=0.2)
        assert not np.array_equal(other.nll, one.nll)
    alone = models["int8"].score(requests[:1])[0]
    assert np.array_equal(alone.nll, quantised[0].nll)
    report = json.loads((tmp_path / "int8" / "parity.json").read_text())
    assert report["compared"] == 5
    assert not (tmp_path / "float32" / "parity.json").exists()


@pytest.mark.export
def test_a_control_token_that_is_spelt_in_a_text_is_no_control_token(tmp_path: Path) -> None:
    pytest.importorskip("optimum")
    exported(tiny_llama(tmp_path / "tiny"), tmp_path / "out", "language_model")

    tokenizer = Tokenizer.from_file(str(tmp_path / "out" / TOKENIZER))

    assert WORDS.index("[CLS]") not in tokenizer.encode("one [CLS] two", add_special_tokens=False).ids


@pytest.mark.export
def test_a_model_below_the_bar_is_not_kept_unless_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("optimum")
    source = tiny_llama(tmp_path / "tiny")
    worse = Parity(5, (Measure("worst token error, nats", 9.0, 1.5, higher_is_better=False),), 1.0, 1.0)
    monkeypatch.setattr("models.export.exporter.measure_parity", lambda *_: worse)
    request = Request(str(source), Exported("own", "language_model", "Own", "MIT"))

    with pytest.raises(BelowBar, match=r"worst token error, nats is 9\.0000, and should be at most 1\.5"):
        export_model(request, tmp_path / "out", CALLS)
    assert not (tmp_path / "out").exists()

    made = export_model(replace(request, keep_below_bar=True), tmp_path / "out", CALLS)
    assert made.parity == worse
    assert made.manifest.is_file()


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious.txt").write_text("x")

    with pytest.raises(ModelExportFailed, match="is not empty"):
        export_model(Request(str(tmp_path), EMBEDDING), tmp_path / "out", CALLS)


def test_what_cannot_be_exported_leaves_nothing(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "config.json").write_text(json.dumps({"model_type": "nothing-known"}))

    with pytest.raises(ModelExportFailed):
        export_model(Request(str(source), EMBEDDING), tmp_path / "out", CALLS)

    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_lexicon_is_not_exported(tmp_path: Path) -> None:
    lexicon = Exported("own", "lexicon", "Own", "MIT")

    with pytest.raises(ModelExportFailed, match="is built, not exported"):
        export_model(Request(str(tmp_path), lexicon), tmp_path / "out", CALLS)
