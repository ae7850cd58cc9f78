"""The composition root: builds the monitor, with everything that it needs, from the settings."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from models.causal.language_model import CausalLanguageModel, CausalSettings
from models.errors import ModelNotLoaded
from models.interfaces import ContradictionClassifier, Embedder, LanguageModel, ModelFailure
from models.lexicon import Lexicon, load_lexicon
from models.loading import (
    OnTested,
    load_contradiction_classifier,
    load_embedder,
    load_language_model,
    untold,
)
from models.session import Observer, Run, SessionSettings, unobserved
from models.store import ModelStore, open_store
from service.dialogue.ledger import AssertionLedger, LedgerSettings
from service.dialogue.lexicon_terms import LexiconTerms
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.terms import FirstMatcher, TermMatcher
from service.metrics import ModelMeter
from service.monitor import Monitor
from service.monitor_settings import MonitorSettings
from service.risk import load_risk_model
from service.rounds import Answerer
from service.settings import ModelSettings, Settings
from service.signals.base import ModelName, Signal
from service.signals.confidence import Confidence
from service.signals.contradiction import Contradiction
from service.signals.dialogue_gaps import DialogueGaps
from service.signals.embedding_drift import EmbeddingDrift
from service.signals.entity_validity import EntityValidity
from service.signals.grammar import Grammar
from service.signals.hallucination import Hallucination
from service.signals.medical_coherence import MedicalCoherence
from service.signals.perplexity import Perplexity
from service.signals.speech_rate import SpeechRate


class _Running(Protocol):
    @property
    def provider(self) -> str: ...


_Opened = TypeVar("_Opened", bound=_Running)


@dataclass(frozen=True, slots=True)
class Models:
    """The models in use, opened and warm."""

    language_model: LanguageModel
    lexicon: Lexicon
    embedder: Embedder
    contradiction: ContradictionClassifier | None

    def answerers(self) -> Mapping[ModelName, Answerer]:
        """Each model as what answers signals."""
        answerers: dict[ModelName, Answerer] = {
            "language_model": self.language_model.score,
            "embedding": self.embedder.embed,
        }
        if self.contradiction is not None:
            answerers["contradiction"] = self.contradiction.contradiction
        return answerers


def model_store(settings: ModelSettings) -> ModelStore:
    """The store of built models that the settings name."""
    return open_store(settings.store, settings.manifests)


def open_models(settings: ModelSettings, meter: ModelMeter | None = None) -> Models:
    """Checks, opens and warms the models.

    Raises:
        ModelUnavailable: one is missing, not what was built, or cannot run where it should.
    """
    store = model_store(settings)
    session = _session(settings)

    def opened(load: Callable[..., _Opened], purpose: str, model: str) -> _Opened:
        try:
            ready = load(store, model, session, _observer(meter, model))
        except ModelFailure as failure:
            raise ModelNotLoaded(f"The model {model} does not run: {failure}") from None
        if meter is not None:
            meter.model_in_use(purpose, model, ready.provider)
        return ready

    # Opening is mostly waiting for one thread of the runtime's: side by side it takes half the time.
    with ThreadPoolExecutor() as opening:
        language_model = opening.submit(
            opened,
            partial(load_language_model, bounds=_bounds(settings), on_tested=_on_tested(settings, meter)),
            "language_model",
            settings.language_model,
        )
        embedder = opening.submit(opened, load_embedder, "embedding", settings.embedding)
        contradiction = settings.contradiction and opening.submit(
            opened, load_contradiction_classifier, "contradiction", settings.contradiction
        )
        if meter is not None and isinstance(causal := language_model.result(), CausalLanguageModel):
            meter.cache_in_use(settings.language_model, lambda: causal.cache_use)
        return Models(
            language_model=language_model.result(),
            lexicon=load_lexicon(store.path(settings.lexicon)),
            embedder=embedder.result(),
            contradiction=contradiction.result() if contradiction else None,
        )


def _session(settings: ModelSettings) -> SessionSettings:
    return SessionSettings(
        **settings.model_dump(include={"provider", "strict", "threads", "spinning", "arena"})
    )


def _bounds(settings: ModelSettings) -> CausalSettings:
    return CausalSettings(**settings.model_dump(include={"window_tokens", "cached_tokens", "rows_per_pass"}))


def _on_tested(settings: ModelSettings, meter: ModelMeter | None) -> OnTested:
    return partial(meter.self_tested, settings.language_model) if meter is not None else untold


def new_ledger(settings: MonitorSettings, lexicon: Lexicon) -> AssertionLedger:
    """The empty ledger of a call that begins."""
    return AssertionLedger(clinical_terms(lexicon), LedgerSettings(settings.contradiction.ledger_assertions))


def clinical_terms(lexicon: Lexicon) -> TermMatcher:
    """What people say in their own words, and beside it the lexicon's drugs and conditions."""
    return FirstMatcher((spoken_terms(), LexiconTerms(lexicon)))


def build_signals(
    settings: MonitorSettings, lexicon: Lexicon, *, contradiction_available: bool
) -> tuple[Signal, ...]:
    """All signals, in the order in which they appear in assessments.

    Args:
        settings: Their thresholds.
        lexicon: Medical terms and how words sound.
        contradiction_available: Whether there is a classifier that confirms contradictions.
    """
    terms = clinical_terms(lexicon)
    return (
        Perplexity(settings.perplexity, lexicon.commonness),
        EntityValidity(lexicon, settings.repair),
        MedicalCoherence(lexicon),
        Contradiction(settings.contradiction, terms, classifier_available=contradiction_available),
        EmbeddingDrift(settings.drift),
        SpeechRate(settings.pace),
        Confidence(settings.confidence, terms),
        Hallucination(settings.hallucination),
        DialogueGaps(settings.gaps, terms),
        *((Grammar(terms),) if settings.grammar else ()),
    )


PrepareSignals = Callable[[Sequence[Signal]], Sequence[Signal]]
"""Changes the signals before the monitor gets them, for whoever measures what each one gives."""


def _unchanged(signals: Sequence[Signal]) -> Sequence[Signal]:
    return signals


def build_monitor(
    settings: Settings,
    meter: ModelMeter | None = None,
    risk_model: Path | None = None,
    prepare: PrepareSignals = _unchanged,
) -> Monitor:
    """Builds the monitor.

    Args:
        settings: Of the whole service.
        meter: Told of every run of a model.
        risk_model: Risk weights to use instead of those that the settings name.
        prepare: Given the signals; what it gives back is measured.

    Raises:
        ModelUnavailable: a model is missing, not what was built, or cannot run where it should.
        RiskModelInvalid: the risk weights cannot be read.
    """
    models = open_models(settings.models, meter)
    return monitor_with(settings.monitor, models, risk_model, prepare)


def monitor_with(
    settings: MonitorSettings,
    models: Models,
    risk_model: Path | None = None,
    prepare: PrepareSignals = _unchanged,
) -> Monitor:
    """A monitor over models that are open already."""
    signals = build_signals(
        settings, models.lexicon, contradiction_available=models.contradiction is not None
    )
    return Monitor(
        settings=settings,
        signals=prepare(signals),
        answerers=models.answerers(),
        risk_model=load_risk_model(risk_model or settings.risk_model),
        new_ledger=partial(new_ledger, settings, models.lexicon),
    )


def _observer(meter: ModelMeter | None, model: str) -> Observer:
    if meter is None:
        return unobserved

    def observe(run: Run) -> None:
        meter.observed(model, "infer", run.seconds, run.rows, run.tokens)

    return observe
