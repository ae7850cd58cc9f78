"""The published composite quality: a weighted mean of the signals' simple forms.

Kept so that results compare with other tools. It decides nothing here: recommendations come from risk and flags.
"""

from collections.abc import Mapping

from service.monitor_settings import CompositeSettings
from streams.messages import Recommendation, SignalReading


def composite_quality(readings: Mapping[str, SignalReading], settings: CompositeSettings) -> float | None:
    """Weighted mean of the simple forms' scores, renormalised over those that ran; None if none did."""
    weights = {
        "perplexity_simple": settings.perplexity,
        "grammar_simple": settings.grammar,
        "entity_validity_simple": settings.entity_validity,
        "medical_coherence_simple": settings.medical_coherence,
        "contradiction_simple": settings.contradiction,
        "embedding_drift_simple": settings.embedding_drift,
        "confidence_simple": settings.confidence,
    }
    scored = [
        (weight, reading.score)
        for name, weight in weights.items()
        if (reading := readings.get(name)) is not None and reading.score is not None
    ]
    total = sum(weight for weight, _ in scored)
    return sum(weight * score for weight, score in scored) / total if total else None


def quality_recommendation(quality: float | None, settings: CompositeSettings) -> Recommendation | None:
    """What the published thresholds would recommend."""
    if quality is None:
        return None
    if quality >= settings.accept:
        return "ACCEPT"
    return "REVIEW" if quality >= settings.review else "REJECT"
