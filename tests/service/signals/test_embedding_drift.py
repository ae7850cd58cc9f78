from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from service.monitor_settings import DriftSettings
from service.rounds import Answerer
from service.signals.base import Finding, ModelName
from service.signals.embedding_drift import EmbeddingDrift, simple_reading
from tests.service.moments import Said, finding_of, moment_of

SETTINGS = DriftSettings(warm_up_lines=3)
TOPICS = {"headache": [1.0, 0.0, 0.0], "boiler": [0.0, 1.0, 0.0]}
ABOUT_HEADACHES: Sequence[Said] = (
    ("clinician", "where exactly does the headache hurt most during mornings"),
    ("patient", "the headache starts behind both eyes every single morning"),
    ("clinician", "does bright light make your headache noticeably worse"),
)
OFF_TOPIC = "please remember boiler repairs need booking before christmas holidays start"
ON_TOPIC = "bright sunlight definitely makes my headache unbearable most mornings"


def measure(text: str, before: Sequence[Said] = ABOUT_HEADACHES) -> Finding:
    """Measures with a model that knows two topics; other texts have a direction of their own."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        topics = [[vector for word, vector in TOPICS.items() if word in text] for text in texts]
        return np.array([found[0] if found else [0.0, 0.0, 1.0] for found in topics], np.float32)

    answerers: Mapping[ModelName, Answerer] = {"embedding": embed}
    return finding_of(EmbeddingDrift(SETTINGS), moment_of(text, before), answerers)


def test_a_line_that_continues_something_said_is_healthy() -> None:
    finding = measure(ON_TOPIC)

    assert finding.readings["embedding_drift"].score == pytest.approx(1.0)
    assert finding.proposals == ()


def test_a_long_line_unlike_the_call_is_flagged() -> None:
    finding = measure(OFF_TOPIC)

    assert finding.readings["embedding_drift"].score == pytest.approx(0.0)
    assert [one.type for one in finding.proposals] == ["topic_drift"]


def test_nothing_is_flagged_before_the_call_has_warmed_up() -> None:
    assert measure(OFF_TOPIC, ABOUT_HEADACHES[:2]).proposals == ()


def test_an_acknowledgement_is_not_measured_and_never_alarms() -> None:
    finding = measure("yeah okay")

    assert finding.readings["embedding_drift"].absent == "short_line"
    assert finding.proposals == ()


def test_an_acknowledgement_in_between_does_not_make_the_next_line_drift() -> None:
    finding = measure(ON_TOPIC, [*ABOUT_HEADACHES, ("clinician", "mhm okay")])

    assert finding.readings["embedding_drift"].value == pytest.approx(1.0)


def test_the_first_line_has_nothing_to_drift_from() -> None:
    finding = measure(ON_TOPIC, [])

    assert {reading.absent for reading in finding.readings.values()} == {"first_line"}


def test_the_simple_form_is_the_published_one_less_a_penalty_per_drift_point() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 1]], np.float32)

    reading = simple_reading(vectors)

    assert reading.value == pytest.approx(0.5)
    assert reading.score == pytest.approx(min(1.0, 0.5 * 1.5 + 0.25) - 0.05)
