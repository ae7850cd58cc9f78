"""What is served over HTTP: metrics and probes. The AsyncAPI document is FastStream's own route."""

from collections.abc import Callable
from typing import Any

import orjson
from faststream.asgi import AsgiResponse, get
from faststream.asgi.types import ASGIApp, Scope
from prometheus_client import make_asgi_app

from service.live.health import Health
from service.metrics import Metrics

_JSON = {"content-type": "application/json"}


def routes(metrics: Metrics, health: Health) -> list[tuple[str, ASGIApp]]:
    """Path and application of each route."""
    return [
        ("/metrics", make_asgi_app(metrics.registry)),
        ("/livez", _probe(health.live)),
        ("/readyz", _probe(health.ready)),
    ]


def _probe(state: Callable[[], tuple[bool, dict[str, Any]]]) -> ASGIApp:
    @get(include_in_schema=False)
    async def probe(_scope: Scope) -> AsgiResponse:
        good, reasons = state()
        body = orjson.dumps({"ok": good, **reasons})
        return AsgiResponse(body, 200 if good else 503, _JSON)

    return probe
