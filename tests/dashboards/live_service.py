"""A real service on the embedded broker, with the fakes in the place of models, and calls through it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from prometheus_client import CollectorRegistry

from models.causal.language_model import CacheUse
from models.fakes import FakeEmbedder, FakeLanguageModel
from models.interfaces import ScoreRequest, TokenScores
from service.clock import Clock
from service.composition import Models, monitor_with
from service.demo.bundle import consultation_files, consultation_names
from service.live.app import LiveService
from service.metrics import AllowedLabels, Metrics, ModelMeter
from service.settings import Settings
from streams.replay import Pace, read_recordings, replay
from tests.kafka import Message, segment, send
from tests.service.live.conftest import Bench
from tests.service.moments import LEXICON

LABELS = AllowedLabels(
    tenant=frozenset({"demo"}),
    asr_provider=frozenset({"northwind", "halyard"}),
    asr_model=frozenset({"stream-en-2", "clinical-en-1"}),
)
REPLAY_SECONDS = 15.0
_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


class MeteredLanguageModel(FakeLanguageModel):
    """Tells the meter of each run, as models do."""

    def __init__(self, meter: ModelMeter) -> None:
        self._meter = meter

    def score(self, requests: Sequence[ScoreRequest]) -> list[TokenScores]:
        return metered(self._meter, "fake-language-model", super().score, requests)


class MeteredEmbedder(FakeEmbedder):
    """Tells the meter of each run, as models do."""

    def __init__(self, meter: ModelMeter) -> None:
        self._meter = meter

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return metered(self._meter, "fake-embedder", super().embed, texts)


def metered(
    meter: ModelMeter, model: str, answer: Callable[[Sequence[_Item]], _Answer], items: Sequence[_Item]
) -> _Answer:
    began = time.perf_counter()
    answered = answer(items)
    meter.observed(model, "infer", time.perf_counter() - began, len(items), 10 * len(items))
    return answered


def metered_models(meter: ModelMeter) -> Models:
    """The fakes, opened as models are."""
    meter.model_in_use("language_model", "fake-language-model", "cpu")
    meter.model_in_use("embedding", "fake-embedder", "cpu")
    meter.self_tested("fake-language-model", "fast", 0.1)
    use = CacheUse(reused_tokens=3, computed_tokens=2, padding_tokens=1)
    meter.cache_in_use("fake-language-model", lambda: use)
    return Models(MeteredLanguageModel(meter), LEXICON, MeteredEmbedder(meter), None)


@dataclass
class Running:
    """A service that runs, and where it answers."""

    port: int
    metrics: Metrics
    bench: Bench

    async def hear_calls(self) -> int:
        """Sends the consultations of two recognisers, their ends, and what cannot be read or is odd.

        Returns:
            How many calls end.
        """
        lines = read_recordings(consultation_files(consultation_names()))
        length = max(line.at for line in lines)
        odd = [
            Message(b"not json"),
            Message(None),
            segment(0, is_final=False),
            segment(3, "no fever", call_id="odd"),
            segment(3, "a fever", call_id="odd", speaker="nurse"),
            segment(1, "yes", call_id="odd", received_at="2026-01-01T00:00:00Z"),
        ]
        await send(self.bench.address, self.bench.names.segments, odd)
        settings = self.bench.settings()
        sent = await replay(
            lines, settings.kafka.connection(), self.bench.names.segments, Pace(length / REPLAY_SECONDS)
        )
        return sent.calls


@asynccontextmanager
async def live_service(bench: Bench) -> AsyncIterator[Running]:
    """Runs the service; on leaving, stops it and raises what it ended with."""
    settings: Settings = bench.settings()
    metrics = Metrics(CollectorRegistry(), LABELS)
    monitor = monitor_with(settings.monitor, metered_models(metrics))
    service = LiveService(settings, monitor, metrics, Clock())
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(service.run(port.set_result))
    try:
        yield Running(await port, metrics, bench)
    finally:
        service.stop()
        await task
