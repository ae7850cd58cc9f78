"""The example for Alertmanager: it is valid, and clinical and service alerts reach different people."""

import re
from typing import Any

import pytest

from tests.dashboards.expressions import DASHBOARDS, alerts
from tests.dashboards.tools import output, tool

EXAMPLE = DASHBOARDS / "alertmanager.yaml"
RECEIVERS = {
    ("clinical", "critical"): "clinical-on-call",
    ("clinical", "warning"): "clinical-tickets",
    ("service", "critical"): "service-on-call",
    ("service", "warning"): "service-tickets",
}


def test_the_example_is_valid() -> None:
    assert "SUCCESS" in output(tool("amtool"), "check-config", EXAMPLE)


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_an_alert_reaches_its_audience_as_soon_as_it_says(rule: dict[str, Any]) -> None:
    labels = {**rule["labels"], "alertname": rule["alert"], "job": "auscult"}
    receiver = RECEIVERS[labels["audience"], labels["severity"]]
    matched = [f"{name}={value}" for name, value in labels.items()]
    command = ["config", "routes", "test", f"--config.file={EXAMPLE}", f"--verify.receivers={receiver}"]
    output(tool("amtool"), *command, *matched)


def test_alerts_that_silence_others_or_are_silenced_exist() -> None:
    named = re.findall(r"Auscult[A-Z]\w+", EXAMPLE.read_text("utf-8"))
    known = [rule["alert"] for rule in alerts()]
    assert named
    for beginning in named:
        assert any(name.startswith(beginning) for name in known)
