"""Entity validity: are the medical terms right?

The simple form asks whether each term is in a lexicon. But garbled terms come as ordinary words ("no jade" for
nausea), and a wrong drug is a valid word. So improbable stretches that sound like a term are compared with that
term by the language model, in the dialogue's context (noisy-channel repair); valid terms that are known to be
mistaken for one another get the same test.
"""

from collections.abc import Generator, Sequence
from typing import Any

from models.interfaces import ScoreRequest
from models.lexicon import Category, Lexicon
from service.dialogue.lines import context_of, scored_text
from service.dialogue.surprise import word_surprise
from service.dialogue.tokens import Token, bare, span_of
from service.moment import Moment
from service.repair.candidates import Candidate, CandidateFinder
from service.repair.consultation_words import ConsultationWords, shipped_consultation_words
from service.repair.rescoring import Reading, Repair, best_repairs, reading_with, term_alone, weigh
from service.repair.settings import RepairSettings
from service.repair.validity import Entities, entities_in
from service.signals.base import Ask, Finding, Measuring, Proposal, absent, ask_scores
from streams.messages import Evidence, Severity, SignalReading

_SEVERITY: dict[Category, Severity] = {"drug": "high"}
_SOUNDS_LIKE = "sounds_like_expected_term"
_KNOWN_CONFUSION = "known_confusion_fits_better"


class EntityValidity:
    """Share of known terms (simple), and the best repair of what was probably misheard.

    Args:
        lexicon: Medical terms and how words sound.
        settings: Bounds and thresholds of repair.
        consultations: How much commoner words are in consultations; as counted in published ones if None.
    """

    name = "entity_validity"
    readings = ("entity_validity", "entity_validity_simple")

    def __init__(
        self, lexicon: Lexicon, settings: RepairSettings, consultations: ConsultationWords | None = None
    ) -> None:
        self._lexicon = lexicon
        self._settings = settings
        self._finder = CandidateFinder(
            lexicon, consultations or shipped_consultation_words(lexicon), settings
        )

    def measure(self, moment: Moment) -> Measuring:
        """Value: gain of the best repair (nats), 0 if none; the simple form's: known terms / all terms."""
        words = moment.line.spoken
        if not words:
            return absent(self.readings, "no_words")
        entities = entities_in([word.text for word in words], self._lexicon)
        repairs = yield from self._repairs(moment, words)
        best = best_repairs(repairs)
        if best and _says_who_they_are(moment):
            repairs = best = []
        value = max((repair.gain for repair in repairs), default=0.0)
        return Finding(
            readings={
                "entity_validity": SignalReading(
                    max(0.0, value),
                    min(1.0, max(0.0, 1.0 - value / self._settings.worst_gain)),
                    tuple(_evidence(repair, words) for repair in best),
                ),
                "entity_validity_simple": simple_reading(entities, words),
            },
            proposals=tuple(self._proposal(repair, words) for repair in best),
            features={
                "repair_gain": max(0.0, value),
                "entities": float(entities.count),
                "unknown_entities": float(len(entities.unknown)),
                "drug_terms": float(sum(mention.category == "drug" for mention in entities.known)),
            },
        )

    def _repairs(self, moment: Moment, words: tuple[Token, ...]) -> Generator[Ask, Any, list[Repair]]:
        """Compares readings of the line: each term alone, and where it may fit with the words after it."""
        context, stream = context_of(moment.context, moment.line.speaker), moment.stream
        (base,) = yield from ask_scores([ScoreRequest(context, scored_text(words), stream)])

        def gains(readings: Sequence[Reading]) -> Generator[Ask, Any, list[float]]:
            """By how many nats each reading is more probable than the line as it stands."""
            scores = yield from ask_scores(
                [ScoreRequest(context + one.shared, one.text, stream, extends=False) for one in readings]
            )
            return [
                one.nats_of(base) - float(score.nll.sum())
                for one, score in zip(readings, scores, strict=True)
            ]

        candidates = self._finder.candidates(words, word_surprise(base, words), moment.history)
        alone = yield from gains([term_alone(words, candidate) for candidate in candidates])
        fitting = [
            candidate
            for candidate, gain in zip(candidates, alone, strict=True)
            if gain - candidate.price >= self._settings.term_gain
        ]
        following = self._settings.following_words
        whole = yield from gains([reading_with(words, candidate, following) for candidate in fitting])
        return [
            weigh(candidate, gain, self._settings) for candidate, gain in zip(fitting, whole, strict=True)
        ]

    def _proposal(self, repair: Repair, words: tuple[Token, ...]) -> Proposal:
        candidate = repair.candidate
        said = bare(words[candidate.first : candidate.last + 1])
        sound_alike_drug = candidate.kind == "confusable" and candidate.category == "drug"
        verb = "sounds like" if candidate.kind == "misheard" else "is easily mistaken for"
        return Proposal(
            type="sound_alike_drug" if sound_alike_drug else "misheard_term",
            severity="critical" if sound_alike_drug else _SEVERITY.get(candidate.category, "medium"),
            span=span_of(words, candidate.first, candidate.last),
            reason=_reason(candidate),
            explanation=f"“{said}” {verb} “{candidate.term}”, which fits here far better.",
            subject=candidate.term,
            strength=min(1.0, max(0.0, repair.gain / self._settings.worst_gain)),
            suggestion=candidate.term,
        )


def simple_reading(entities: Entities, words: Sequence[Token]) -> SignalReading:
    """Known terms / all terms; absent where there is no term. Evidence: words that look medical and are unknown."""
    if entities.validity is None:
        return SignalReading(None, None, absent="no_entities")
    evidence = tuple(
        Evidence((words[at].start, words[at].end), "unknown_medical_word") for at in entities.unknown
    )
    return SignalReading(entities.validity, entities.validity, evidence)


def _says_who_they_are(moment: Moment) -> bool:
    """Whether the line answers a question about identity or logistics: names and places sound like anything."""
    asked = None if moment.reading is None else moment.reading.question
    return asked is not None and asked.kind == "administrative"


def _evidence(repair: Repair, words: tuple[Token, ...]) -> Evidence:
    candidate = repair.candidate
    return Evidence(span_of(words, candidate.first, candidate.last), _reason(candidate), repair.gain)


def _reason(candidate: Candidate) -> str:
    return _KNOWN_CONFUSION if candidate.kind == "confusable" else _SOUNDS_LIKE
