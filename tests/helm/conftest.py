"""What the service itself says, for the chart to be held to."""

import pytest
from prometheus_client import CollectorRegistry

from service.clock import Clock
from service.live.backoff import Backoff
from service.live.health import Health
from service.live.http import routes
from service.live.ownership import Ownership
from service.live.patience import Patience
from service.metrics import AllowedLabels, Metrics


@pytest.fixture
def served_paths() -> set[str]:
    """The paths that the service answers over HTTP."""
    metrics = Metrics(CollectorRegistry(), AllowedLabels())
    health = Health(Ownership(), Patience(Backoff(), metrics, Clock()), 120.0, 5.0)
    return {path for path, _ in routes(metrics, health)}
