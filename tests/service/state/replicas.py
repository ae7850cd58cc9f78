"""Replicas that hand a call on: each a monitor of its own that knows of the call only what the state says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import orjson

from service.composition import build_signals, clinical_terms
from service.dialogue.ledger import AssertionLedger, LedgerSettings
from service.monitor import Monitor
from service.monitor_settings import CallSettings, MonitorSettings
from service.observation import Observation
from service.risk import load_risk_model
from service.rounds import Answerer
from service.signals.base import ModelName
from streams.messages import CallEnded, Segment
from tests.service.moments import FAKE_ANSWERERS, LEXICON

SETTINGS = MonitorSettings(call=CallSettings(open_calls=3, silence_seconds=60.0))

_TERMS = clinical_terms(LEXICON)
_SIGNALS = build_signals(SETTINGS, LEXICON, contradiction_available=True)
_RISK = load_risk_model(None)


def ledger(settings: MonitorSettings = SETTINGS) -> AssertionLedger:
    return AssertionLedger(_TERMS, LedgerSettings(settings.contradiction.ledger_assertions))


def replica(
    settings: MonitorSettings = SETTINGS, answerers: Mapping[ModelName, Answerer] = FAKE_ANSWERERS
) -> Monitor:
    """A monitor that has heard nothing."""
    return Monitor(settings, _SIGNALS, answerers, _RISK, lambda: ledger(settings))


def by_way_of_json(state: Mapping[str, Any]) -> dict[str, Any]:
    received: dict[str, Any] = orjson.loads(orjson.dumps(state))
    return received


def observed(
    messages: Sequence[Segment | CallEnded],
    handed_on_after: Iterable[int] = (),
    next_replica: Callable[[], Monitor] = replica,
) -> list[Observation]:
    """What comes of each message, when the calls are handed to the next replica after so many of them."""
    handed_on = set(handed_on_after)
    call_ids = {message.call_id for message in messages}
    monitor = next_replica()
    observations = []
    for count, message in enumerate(messages, start=1):
        observations.append(monitor.observe([message], float(count)))
        if count in handed_on:
            states = monitor.snapshots(call_ids)
            monitor.forget(tuple(states))
            monitor = next_replica()
            for call_id, state in states.items():
                monitor.restore(call_id, by_way_of_json(state), float(count))
    return [*observations, monitor.finish()]
