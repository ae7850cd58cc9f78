"""Monitors to measure: with all signals or with five of them, and with their models' time taken apart."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from service.composition import Models, build_signals, new_ledger
from service.monitor import Monitor
from service.monitor_settings import MonitorSettings
from service.risk import load_risk_model
from service.rounds import Answerer
from service.signals.base import ModelName
from streams.messages import CallEnded, Segment

FIVE_SIGNALS: Final = ("perplexity", "entity_validity", "contradiction", "embedding_drift", "speech_rate")
"""Those that the naive pipeline computes too."""

Message = Segment | CallEnded
_T = TypeVar("_T")


@dataclass(slots=True)
class ModelTime:
    """What one model took: seconds of CPU and of the clock, and what it was asked."""

    cpu: float = 0.0
    wall: float = 0.0
    items: int = 0


class ModelsFailed(Exception):
    """A model did not answer: what was measured would look cheap, and mean nothing."""


@dataclass(slots=True)
class Timing:
    """Time of the models, by model, since it was last cleared."""

    models: dict[ModelName, ModelTime] = field(default_factory=dict)

    def clear(self) -> None:
        """Begins anew."""
        self.models.clear()

    def timed(self, name: ModelName, answerer: Answerer) -> Answerer:
        """The same answerer, its time counted."""

        def answer(items: Sequence[Any]) -> Iterable[Any]:
            taken = self.models.setdefault(name, ModelTime())
            cpu, wall = time.process_time(), time.perf_counter()
            answers = answerer(items)
            taken.cpu += time.process_time() - cpu
            taken.wall += time.perf_counter() - wall
            taken.items += len(items)
            return answers

        return answer


def measured_monitor(
    settings: MonitorSettings, models: Models, timing: Timing, signals: Sequence[str] = ()
) -> Monitor:
    """A monitor whose models' time is counted.

    Args:
        settings: Its thresholds.
        models: Open already.
        timing: Where the time is counted.
        signals: Names of those to measure; none: all.
    """
    every = build_signals(settings, models.lexicon, contradiction_available=models.contradiction is not None)
    answerers: Mapping[ModelName, Answerer] = {
        name: timing.timed(name, answerer) for name, answerer in models.answerers().items()
    }
    return Monitor(
        settings=settings,
        signals=[signal for signal in every if not signals or signal.name in signals],
        answerers=answerers,
        risk_model=load_risk_model(settings.risk_model),
        new_ledger=partial(new_ledger, settings, models.lexicon),
    )


def observed(monitor: Monitor, poll: Sequence[Message]) -> None:
    """Has a poll assessed.

    Raises:
        ModelsFailed: a signal failed.
    """
    for assessment in monitor.observe(poll, 0.0).assessments:
        if any(reading.absent == "failed" for reading in assessment.signals.values()):
            raise ModelsFailed("a signal failed; see the log")


def polls(messages: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """The messages in polls of so many; the last one may be smaller."""
    return (messages[start : start + size] for start in range(0, len(messages), size))
