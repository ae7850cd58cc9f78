"""Opens the models of a store, ready to use."""

from collections.abc import Callable
from pathlib import Path

from models.causal.language_model import CausalLanguageModel, CausalSettings
from models.causal.self_test import Products, open_tested
from models.cpu import usable_cpus
from models.embedder import SentenceEmbedder
from models.entailment import EntailmentClassifier
from models.errors import ModelUnknown
from models.exported_language_model import ExportedLanguageModel
from models.layout import (
    CONTRADICTION_OUTPUT,
    EMBEDDING_OUTPUT,
    GRAPH,
    LANGUAGE_MODEL_DESCRIPTION,
)
from models.manifest import Purpose
from models.session import Observer, Session, SessionSettings, open_session, unobserved
from models.store import ModelStore
from models.text_encoding import open_encoder
from models.text_model import CACHED_RESULTS, TextModel

OnTested = Callable[[Products, float], None]
"""Told which products a language model runs with, and their mean absolute error on its own text, in nats."""


def untold(products: Products, error: float) -> None:
    """Nobody asked."""


REMEMBERED_EMBEDDINGS = 32_768
"""The recent lines of a few thousand calls, 2 KB each: with less, every line would be embedded again and again."""


def load_language_model(
    store: ModelStore,
    model_id: str,
    settings: SessionSettings,
    observer: Observer = unobserved,
    bounds: CausalSettings | None = None,
    on_tested: OnTested = untold,
) -> CausalLanguageModel | ExportedLanguageModel:
    """Checks and opens a causal language model, a built or an exported one.

    Args:
        store: Where it lies.
        model_id: Its manifest entry.
        settings: How it runs. On the CPU `threads` passes of one thread each run side by side.
        observer: Told of every run.
        bounds: How much a built model remembers and computes at once.
        on_tested: Told what the self-test of a built model found. An exported one has none.

    Raises:
        ModelUnavailable: it is unknown, missing, not what was built, or cannot run where it should.
        ModelFailure: the runtime failed.
    """
    folder = _folder(store, model_id, "language_model")
    if (folder / LANGUAGE_MODEL_DESCRIPTION).is_file():
        session = open_session(folder / GRAPH, settings, observer)
        return ExportedLanguageModel(folder, session, store.manifest.entry(model_id).max_tokens)
    on_cpu = settings.provider == "cpu"
    per_pass = settings.model_copy(update={"threads": 1}) if on_cpu else settings

    def open_graph(products: Products) -> Session:
        exact = per_pass.model_copy(update={"exact_products": products == "exact"})
        return open_session(folder / GRAPH, exact, observer)

    tested = open_tested(folder, open_graph)
    on_tested(tested.products, tested.error)
    passes_at_once = settings.threads or usable_cpus() if on_cpu else 1
    return CausalLanguageModel(folder, tested.graph, bounds, passes_at_once)


def load_embedder(
    store: ModelStore, model_id: str, settings: SessionSettings, observer: Observer = unobserved
) -> SentenceEmbedder:
    """Checks, opens and warms a sentence embedding model.

    Raises:
        ModelUnavailable: it is unknown, missing, not what was built, or cannot run where it should.
        ModelFailure: the runtime failed.
    """
    model = _text_model(
        store, model_id, "embedding", EMBEDDING_OUTPUT, settings, observer, REMEMBERED_EMBEDDINGS
    )
    return SentenceEmbedder(model)


def load_contradiction_classifier(
    store: ModelStore, model_id: str, settings: SessionSettings, observer: Observer = unobserved
) -> EntailmentClassifier:
    """Checks, opens and warms an NLI model.

    Raises:
        ModelUnavailable: it is unknown, missing, not what was built, or cannot run where it should.
        ModelFailure: the runtime failed.
    """
    model = _text_model(store, model_id, "contradiction", CONTRADICTION_OUTPUT, settings, observer)
    return EntailmentClassifier(model)


def _text_model(
    store: ModelStore,
    model_id: str,
    purpose: Purpose,
    output: str,
    settings: SessionSettings,
    observer: Observer,
    cached_results: int = CACHED_RESULTS,
) -> TextModel:
    folder = _folder(store, model_id, purpose)
    encoder = open_encoder(folder, store.manifest.entry(model_id).max_tokens)
    # One thread: at a few short texts a poll, a second one costs more CPU than it saves time. Exact products cost
    # something only on processors whose fast ones saturate, and these graphs bring no text to find that out with.
    how = settings.model_copy(update={"threads": 1, "exact_products": True})
    session = open_session(folder / GRAPH, how, observer)
    return TextModel(session, encoder, output, cached_results=cached_results)


def _folder(store: ModelStore, model_id: str, purpose: Purpose) -> Path:
    entry = store.manifest.entry(model_id)
    if entry.purpose != purpose:
        raise ModelUnknown(f"The model {model_id} is for {entry.purpose}, not for {purpose}.")
    return store.path(model_id)
