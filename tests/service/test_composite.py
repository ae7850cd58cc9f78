import pytest

from service.composite import composite_quality, quality_recommendation
from service.monitor_settings import CompositeSettings
from streams.messages import SignalReading

SETTINGS = CompositeSettings()


def reading(score: float | None) -> SignalReading:
    return SignalReading(score, score)


def test_the_composite_is_the_weighted_mean_of_the_simple_forms() -> None:
    quality = composite_quality(
        {
            "perplexity_simple": reading(0.5),
            "entity_validity_simple": reading(1.0),
            "contradiction_simple": reading(0.8),
            "embedding_drift_simple": reading(0.0),
        },
        SETTINGS,
    )

    assert quality == pytest.approx((0.15 * 0.5 + 0.20 * 1.0 + 0.15 * 0.8) / 0.60)


def test_signals_that_did_not_run_and_better_forms_have_no_weight() -> None:
    readings = {
        "perplexity_simple": reading(0.5),
        "perplexity": reading(0.0),
        "contradiction_simple": reading(None),
    }

    assert composite_quality(readings, SETTINGS) == pytest.approx(0.5)


def test_without_any_signal_there_is_no_quality() -> None:
    assert composite_quality({}, SETTINGS) is None
    assert quality_recommendation(None, SETTINGS) is None


@pytest.mark.parametrize(
    ("quality", "expected"), [(0.80, "ACCEPT"), (0.79, "REVIEW"), (0.50, "REVIEW"), (0.49, "REJECT")]
)
def test_the_published_thresholds_decide_the_quality_recommendation(quality: float, expected: str) -> None:
    assert quality_recommendation(quality, SETTINGS) == expected
