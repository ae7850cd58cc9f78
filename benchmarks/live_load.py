"""Live calls through a real broker: latency, lag, CPU and memory of the real service, and how many calls it bears.

    python -m benchmarks.live_load --calls 100              # one step
    python -m benchmarks.live_load --calls 100 --largest    # the most that keep p99 under 250 ms

Latency is between Kafka timestamps: from that of a segment, the moment of its sending, to that of its assessment, the
moment at which the service hands it to its producer. The broker's acknowledgement comes a few milliseconds later: the
share within 250 ms, up to the acknowledgement, is given as the service itself counts it. Both must hold for so many
calls to be borne. Broker, service and callers share the machine; CPU and memory are the service's alone.
"""

import argparse
import asyncio
import dataclasses
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from benchmarks.caller_load import CallerLoad
from benchmarks.calls import recordings
from benchmarks.distribution import percentile
from benchmarks.monitors import ModelsFailed
from benchmarks.process_usage import cpu_seconds, resident_megabytes
from benchmarks.results import write_json
from benchmarks.service_counts import failed_signals, read_metrics, stage_seconds, within_limit
from service.demo.environment import LOOPBACK, free_port
from service.demo.process import service_process
from service.settings import HttpSettings, LogSettings, Settings, load_settings
from streams.embedded_broker import embedded_broker

LIMIT_SECONDS: Final = 0.25
SETTLE_SECONDS: Final = 10.0
SAMPLE_SECONDS: Final = 1.0
LOST_AFTER_SECONDS: Final = 60.0
GROWTH: Final = 1.3
TOLERANCE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Step:
    """What so many calls came to.

    Attributes:
        calls: Lines that spoke in real time.
        seconds: How long it was measured.
        segments: Sent meanwhile.
        lost: Of these, not assessed a minute later.
        latency_seconds: Percentiles by name: p50, p90, p99 and max.
        within_limit: Share of assessments that the service itself counts as acknowledged within 250 ms.
        most_under_way: Segments sent and not yet assessed, the most of all samples.
        service_cores: CPU seconds of the service per second.
        cpu_ms_per_segment: CPU time of the service over segments.
        calls_per_core: Calls over cores.
        resident_mb: The service's memory at the end.
        polls_per_second: How often the service had something to do.
        stage_ms: Time of each stage of such a poll.
    """

    calls: int
    seconds: float
    segments: int
    lost: int
    latency_seconds: dict[str, float]
    within_limit: float
    most_under_way: int
    service_cores: float
    cpu_ms_per_segment: float
    calls_per_core: float
    resident_mb: float
    polls_per_second: float
    stage_ms: dict[str, float]

    @property
    def bearable(self) -> bool:
        """Whether 99 of 100 segments were assessed within 250 ms, acknowledgement included, and none was lost."""
        return self.lost == 0 and self.latency_seconds["p99"] < LIMIT_SECONDS and self.within_limit >= 0.99


async def largest(
    measure: Callable[[int], Awaitable[Step]], start: int, tolerance: float = TOLERANCE
) -> list[Step]:
    """Looks for the most calls that are bearable: grows until they are not, then halves what is between.

    Args:
        measure: Measures so many calls.
        start: How many to begin with.
        tolerance: How much more than the answer was too many, at most.

    Returns:
        All steps in the order in which they were measured.
    """
    steps: list[Step] = []
    bearable, too_many = 0, 0
    count = start
    while True:
        steps.append(await measure(count))
        if steps[-1].bearable:
            bearable = count
        else:
            too_many = count
        if too_many and too_many - bearable <= max(1.0, tolerance * bearable):
            return steps
        count = (bearable + too_many) // 2 if too_many else max(count + 1, round(count * GROWTH))


@dataclass(frozen=True, slots=True)
class LiveBenchmark:
    """A service under load.

    Attributes:
        load: The callers.
        pid: The service's process.
        url: Where the service answers HTTP.
        seconds: How long a step is measured.
    """

    load: CallerLoad
    pid: int
    url: str
    seconds: float

    async def step(self, calls: int) -> Step:
        """Measures so many calls, once they are joined and settled.

        Raises:
            ModelsFailed: a signal failed.
            OSError: the service does not answer.
        """
        await self.load.resize(calls)
        await asyncio.sleep(SETTLE_SECONDS)
        before = await self._metrics()
        already = len(self.load.traced)
        began, cpu = time.monotonic(), cpu_seconds(self.pid)
        most_under_way = await self._most_under_way()
        seconds, used = time.monotonic() - began, cpu_seconds(self.pid) - cpu
        measured = list(self.load.traced.values())[already:]
        with suppress(TimeoutError):  # what is missing is counted
            await asyncio.wait_for(self.load.caught_up(), LOST_AFTER_SECONDS)
        after = await self._metrics()
        if failed_signals(after):
            raise ModelsFailed("a signal of the service failed; see its log")
        within = within_limit(after, LIMIT_SECONDS).since(within_limit(before, LIMIT_SECONDS))
        earlier = stage_seconds(before)
        stages = {name: value - earlier.get(name, 0.0) for name, value in stage_seconds(after).items()}
        polls = stages.pop("polls")
        taken = [trace.assessed - trace.sent for trace in measured if trace.assessed is not None]
        shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
        cores = used / seconds
        return Step(
            calls=calls,
            seconds=round(seconds, 1),
            segments=len(measured),
            lost=len(measured) - len(taken),
            latency_seconds={name: round(percentile(taken, share), 4) for name, share in shares.items()},
            within_limit=round(within.share, 4),
            most_under_way=most_under_way,
            service_cores=round(cores, 3),
            cpu_ms_per_segment=round(1000 * used / len(measured), 2),
            calls_per_core=round(calls / cores, 1),
            resident_mb=round(resident_megabytes(self.pid)),
            polls_per_second=round(polls / seconds, 2),
            stage_ms={name: round(1000 * spent / polls, 2) for name, spent in stages.items()},
        )

    async def _metrics(self) -> str:
        return await asyncio.to_thread(read_metrics, self.url)

    async def _most_under_way(self) -> int:
        most = 0
        ends = time.monotonic() + self.seconds
        while (left := ends - time.monotonic()) > 0:
            await asyncio.sleep(min(left, SAMPLE_SECONDS))
            most = max(most, self.load.under_way)
        return most


def live_settings(own: Settings, bootstrap: str, *, idempotence: bool) -> Settings:
    """Settings of the measured service: your models, thresholds and poll; topics and a group of its own."""
    name = f"benchmark-{uuid.uuid4().hex[:8]}"
    kafka = own.kafka.model_copy(
        update={
            "bootstrap_servers": (bootstrap,),
            "topics": own.kafka.topics.model_copy(update={"prefix": f"{name}."}),
            "group": name,
            "create_topics": True,
            "replication": 1,
            "idempotence": idempotence,
        }
    )
    return own.model_copy(
        update={
            "kafka": kafka,
            "http": HttpSettings(host=LOOPBACK, port=free_port(0)),
            "logs": LogSettings(format="console", level="warning"),
        }
    )


@asynccontextmanager
async def live_benchmark(settings: Settings, seconds: float) -> AsyncIterator[LiveBenchmark]:
    """The service, ready, with callers beside it."""
    async with service_process(settings) as service:
        await service.ready()
        async with callers(settings) as load:
            yield LiveBenchmark(load, service.pid, service.url, seconds)


@asynccontextmanager
async def callers(settings: Settings, pace: float = 1.0) -> AsyncIterator[CallerLoad]:
    """Callers, none yet, of a service whose topics are there.

    Args:
        settings: The service's.
        pace: How quickly they speak: 1 in real time.
    """
    topics = settings.kafka.topics.names()
    options = settings.kafka.connection().client_options()
    async with (
        AIOKafkaProducer(**options, acks="all") as producer,
        AIOKafkaConsumer(**options, fetch_max_wait_ms=200) as consumer,
    ):
        numbers = range(settings.kafka.partitions)
        consumer.assign([TopicPartition(topics.assessments, number) for number in numbers])
        await consumer.seek_to_beginning()
        yield CallerLoad(producer, consumer, topics.segments, recordings().calls, pace)


async def run(arguments: argparse.Namespace, bootstrap: str) -> list[Step]:
    """Measures one step, or looks for the most calls."""
    settings = live_settings(load_settings(), bootstrap, idempotence=arguments.bootstrap is not None)
    async with live_benchmark(settings, arguments.seconds) as benchmark:

        async def measure(calls: int) -> Step:
            step = await benchmark.step(calls)
            sys.stderr.write(f"{step}\n")
            return step

        work = largest(measure, arguments.calls) if arguments.largest else _alone(measure(arguments.calls))
        steps: list[Step] = await benchmark.load.while_receiving(work)
        return steps


async def _alone(step: Awaitable[Step]) -> list[Step]:
    return [await step]


@contextmanager
def broker(bootstrap: str | None) -> Iterator[str]:
    """The address of the broker: of the given one, or of an embedded one that lasts as long as the context."""
    if bootstrap is not None:
        yield bootstrap
        return
    with embedded_broker() as address:
        yield address


def main() -> None:
    """Measures and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--calls", type=int, default=100, help="calls at once; with --largest, to begin with")
    parser.add_argument("--largest", action="store_true", help="look for the most with p99 under 250 ms")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each step is measured")
    parser.add_argument("--bootstrap", help="host:port of a broker of yours; else an embedded one")
    parser.add_argument("--output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    with broker(arguments.bootstrap) as address:
        steps = asyncio.run(run(arguments, address))
    write_json(
        arguments.output, "live_load", [dataclasses.asdict(step) for step in steps], recordings().source
    )


if __name__ == "__main__":
    main()
