"""Models never run on the event loop: they are loaded in a thread, and used in one that is always the same."""

import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import pytest
from typer.testing import CliRunner

from models.errors import ModelMissing
from service.commands import app
from service.monitor import Monitor
from service.observation import Observation
from streams.messages import CallEnded, Segment
from tests.kafka import receive, segment, send
from tests.service.live.conftest import Bench, PlainObserver, until


@dataclass
class NotingThreads(PlainObserver):
    """Notes which thread asked for what."""

    threads: dict[str, set[int]] = field(default_factory=dict)

    def observe(
        self, batch: Sequence[Segment | CallEnded], now: float, shed: Collection[str] = ()
    ) -> Observation:
        self._note("observe")
        return super().observe(batch, now, shed)

    def silent(self, now: float) -> Observation:
        self._note("silent")
        return super().silent(now)

    def _note(self, asked: str) -> None:
        self.threads.setdefault(asked, set()).add(threading.get_ident())


async def test_what_runs_models_stays_in_one_thread_beside_the_event_loop(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.app.SILENCE_CHECK_SECONDS", 0.05)
    observer = NotingThreads()

    async with bench.service(observer):
        for sequence in range(3):
            await send(bench.address, bench.names.segments, [segment(sequence)])
            await receive(bench.address, bench.names.assessments, sequence + 1)
        await until(lambda: observer.threads.keys() == {"observe", "silent"})

    assert len(observer.batches) > 1
    used = set().union(*observer.threads.values())
    assert len(used) == 1
    assert threading.get_ident() not in used


def test_models_are_loaded_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded_in: list[int] = []

    def load(*_: object, **__: object) -> Monitor:
        loaded_in.append(threading.get_ident())
        raise ModelMissing("Enough is known.")

    async def nothing_missing(*_: object) -> tuple[str, ...]:
        return ()

    async def all_alike(_connection: object, names: Iterable[str]) -> dict[str, int]:
        return dict.fromkeys(names, 1)

    monkeypatch.setattr("service.logs.configure_logs", lambda _: None)
    monkeypatch.setattr("streams.administration.missing_topics", nothing_missing)
    monkeypatch.setattr("streams.administration.partition_counts", all_alike)
    monkeypatch.setattr("service.composition.build_monitor", load)

    result = CliRunner().invoke(app, ["serve"])

    assert "Enough is known." in result.stderr
    assert loaded_in
    assert threading.get_ident() not in loaded_in
