"""The real service on an Apache Kafka for a long time: is its memory flat, is it as quick as before, is nothing lost?

    python -m benchmarks.soak                      # 20 minutes of real-time calls, 70 % of what it bears
    python -m benchmarks.soak --open-calls 500     # as many segments a second, of 500 calls that speak slowly

What it bears is what `live_load` measured (benchmarks/results), so run that on this machine first, or give `--calls`.
Every call that is joined has its past; time counts from when that is assessed. Memory is sampled every few seconds; its
slope leaves out the first part, in which caches fill. Latency is between Kafka timestamps, from the segment's to its
assessment's. Lost, repeated and summaries are of everything sent, the calls' past included.
"""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson

from benchmarks.apache_kafka.broker import apache_kafka
from benchmarks.caller_load import CallerLoad, Traced
from benchmarks.calls import recordings
from benchmarks.distribution import percentile
from benchmarks.faults.replica import Replica, ReplicaFailed
from benchmarks.live_load import LOST_AFTER_SECONDS, Step, callers, live_settings
from benchmarks.monitors import ModelsFailed
from benchmarks.process_usage import cpu_seconds, resident_megabytes
from benchmarks.results import Row, write_json
from benchmarks.service_counts import failed_signals, followed_calls, read_metrics
from benchmarks.suite import RESULTS
from benchmarks.trend import Trend, trend
from service.settings import LogSettings, Settings, load_settings
from streams.broker import Record
from streams.whole_topic import partitions_of, read_to_the_end

CAPACITY_SHARE: Final = 0.7
WARM_UP_SHARE: Final = 0.25
SAMPLE_SECONDS: Final = 5.0
ASSIGNED: Final = b"partitions assigned"
"""What the service logs each time that the group's partitions were shared out: at its start, and by each rebalance."""

_SHARES: Final = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}


@dataclass(frozen=True, slots=True)
class Plan:
    """How it is to be soaked.

    Attributes:
        calls: Open at once.
        pace: How quickly they speak: 1 in real time.
        seconds: For how long.
        warm_up_seconds: How much of that the slope of memory leaves out.
        sample_seconds: Between two samples of memory.
    """

    calls: int
    pace: float
    seconds: float
    warm_up_seconds: float
    sample_seconds: float = SAMPLE_SECONDS


@dataclass(frozen=True, slots=True)
class Sample:
    """The service's resident memory at a time since the soak began."""

    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Soaked:
    """What came of it.

    Attributes:
        plan: How it was soaked.
        followed_calls: Calls that were open for the service itself at the end.
        sent: Segments, with the past of the calls.
        assessed: Of these, with an assessment.
        repeated: Further assessments of a segment that had one.
        ended: Calls ended.
        summaries: Of these, summarised.
        summaries_repeated: Further summaries of a call that had one.
        rebalances: How often the partitions were shared out anew after the start.
        cores: CPU seconds of the service per second.
        began: When the soak did, seconds since 1970.
        traced: Segments sent from then on.
        samples: Of memory.
    """

    plan: Plan
    followed_calls: int
    sent: int
    assessed: int
    repeated: int
    ended: int
    summaries: int
    summaries_repeated: int
    rebalances: int
    cores: float
    began: float
    traced: Sequence[Traced] = field(repr=False)
    samples: Sequence[Sample] = field(repr=False)

    @property
    def lost(self) -> int:
        """Segments without an assessment a minute after the end."""
        return self.sent - self.assessed

    @property
    def memory(self) -> Trend:
        """Of resident megabytes, once warm.

        Raises:
            ValueError: there are fewer than three samples after the warm-up.
        """
        warm = [sample for sample in self.samples if sample.seconds >= self.plan.warm_up_seconds]
        return trend([sample.seconds for sample in warm], [sample.megabytes for sample in warm])

    def rows(self) -> list[Row]:
        """As it is written down: all of it, then minute by minute."""
        memory = self.memory
        return [
            {
                "calls": self.plan.calls,
                "pace": round(self.plan.pace, 3),
                "minutes": round(self.plan.seconds / 60, 1),
                "followed_calls": self.followed_calls,
                "segments": {
                    "sent": self.sent,
                    "assessed": self.assessed,
                    "repeated": self.repeated,
                    "lost": self.lost,
                },
                "calls_ended": self.ended,
                "summaries": self.summaries,
                "summaries_repeated": self.summaries_repeated,
                "rebalances": self.rebalances,
                "latency_seconds": _percentiles(self.traced),
                "service_cores": round(self.cores, 3),
                "cpu_ms_per_segment": round(1000 * self.cores * self.plan.seconds / len(self.traced), 2),
                "resident_mb": {
                    "per_hour": round(memory.per_hour, 1),
                    "standard_error": round(memory.standard_error, 1),
                    "first": round(memory.first, 1),
                    "last": round(memory.last, 1),
                },
            },
            *self._minutes(),
        ]

    def _minutes(self) -> Iterator[Row]:
        """The last sample of memory and the latency of each minute in which something was assessed."""
        minute = 0
        while minute * 60 < self.plan.seconds:
            traced = [trace for trace in self.traced if (trace.sent - self.began) // 60 == minute]
            samples = [sample for sample in self.samples if sample.seconds // 60 == minute]
            minute += 1
            if samples and any(trace.assessed is not None for trace in traced):
                yield {
                    "minute": minute,
                    "segments": len(traced),
                    "latency_seconds": _percentiles(traced),
                    "resident_mb": round(samples[-1].megabytes, 1),
                }


async def soak(settings: Settings, plan: Plan, replica: Replica) -> Soaked:
    """Soaks a replica with a new log, from its start to its stop.

    Raises:
        ReplicaFailed: it ended, or did not become ready or stop in time.
        ModelsFailed: a signal failed.
        aiokafka.errors.KafkaError: the broker refused or did not answer.
    """
    async with _running(replica), callers(settings, plan.pace) as load:
        soaked: Soaked = await load.while_receiving(_soaked(settings, plan, replica, load))
        return soaked


async def _soaked(settings: Settings, plan: Plan, replica: Replica, load: CallerLoad) -> Soaked:
    await load.resize(plan.calls)
    past, began, cpu = len(load.traced), time.time(), cpu_seconds(replica.pid)
    samples = [sample async for sample in _samples(replica, plan)]
    cores = (cpu_seconds(replica.pid) - cpu) / plan.seconds
    sent, ended = list(load.traced.values()), set(load.ended)
    with suppress(TimeoutError):  # what is missing is counted
        await asyncio.wait_for(load.caught_up(), LOST_AFTER_SECONDS)
    metrics = await asyncio.to_thread(read_metrics, replica.url)
    if failed_signals(metrics):
        raise ModelsFailed("a signal of the service failed; see its log")
    summarised = await _summarised(settings, ended)
    return Soaked(
        plan=plan,
        followed_calls=followed_calls(metrics),
        sent=len(sent),
        assessed=sum(trace.assessed is not None for trace in sent),
        repeated=load.repeated,
        ended=len(ended),
        summaries=len(ended & set(summarised)),
        summaries_repeated=len(summarised) - len(set(summarised)),
        rebalances=replica.log.read_bytes().count(ASSIGNED) - 1,
        cores=cores,
        began=began,
        traced=sent[past:],
        samples=samples,
    )


async def _samples(replica: Replica, plan: Plan) -> AsyncIterator[Sample]:
    """Memory now and then, for as long as is planned."""
    began = time.monotonic()
    for number in range(int(plan.seconds / plan.sample_seconds)):
        await asyncio.sleep(max(0.0, began + number * plan.sample_seconds - time.monotonic()))
        if replica.ended:
            raise ReplicaFailed(f"ended while it was soaked; see {replica.log}")
        yield Sample(time.monotonic() - began, resident_megabytes(replica.pid))
    await asyncio.sleep(max(0.0, began + plan.seconds - time.monotonic()))


async def _summarised(settings: Settings, ended: set[str]) -> list[str]:
    """The call of each summary; waits until those of ended calls are there, or count as lost."""
    connection = settings.kafka.connection()
    partitions = await partitions_of(connection, settings.kafka.topics.names().calls)
    deadline = time.monotonic() + LOST_AFTER_SECONDS
    while True:
        records: list[Record] = []
        await read_to_the_end(connection, partitions, records.append)
        calls = [orjson.loads(record.value)["call_id"] for record in records]
        if ended <= set(calls) or time.monotonic() > deadline:
            return calls
        await asyncio.sleep(1.0)


@asynccontextmanager
async def _running(replica: Replica) -> AsyncIterator[None]:
    """Started and ready; stopped in order at the end, killed where something failed."""
    await replica.start()
    try:
        await replica.ready()
        yield
        await replica.stop()
    finally:
        await replica.kill()


def _percentiles(traced: Sequence[Traced]) -> dict[str, float]:
    taken = [trace.assessed - trace.sent for trace in traced if trace.assessed is not None]
    return {name: round(percentile(taken, share), 4) for name, share in _SHARES.items()}


def measured_capacity(live_load: Path) -> int:
    """The most calls that a result of `live_load` found to be borne.

    Raises:
        OSError: there is no such result.
        ValueError: it found none.
    """
    steps = [Step(**row) for row in json.loads(live_load.read_bytes())["results"]]
    return max(step.calls for step in steps if step.bearable)


def soak_settings(own: Settings, bootstrap: str) -> Settings:
    """Settings of the soaked service: yours, with topics and a group of its own, and a log that tells of rebalances."""
    settings = live_settings(own, bootstrap, idempotence=True)
    return settings.model_copy(update={"logs": LogSettings(level="info")})


@contextmanager
def _broker(bootstrap: str | None, folder: Path) -> Iterator[str]:
    if bootstrap is not None:
        yield bootstrap
        return
    with apache_kafka(folder) as kafka:
        yield kafka.address


def _plan(arguments: argparse.Namespace) -> Plan:
    calls = arguments.calls or round(CAPACITY_SHARE * measured_capacity(RESULTS / "live_load.json"))
    open_calls = arguments.open_calls or calls
    seconds = 60 * arguments.minutes
    pace = arguments.pace or calls / open_calls
    return Plan(open_calls, pace, seconds, WARM_UP_SHARE * seconds)


def main() -> None:
    """Soaks and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--calls", type=int, help="speaking in real time; else 70 %% of what live_load found")
    parser.add_argument("--open-calls", type=int, help="so many calls instead, at a slower pace")
    parser.add_argument(
        "--pace", type=float, help="1 is real time; else as many segments a second as --calls"
    )
    parser.add_argument(
        "--minutes", type=float, default=20.0, help="for how long, of which a quarter warms up"
    )
    parser.add_argument("--bootstrap", help="host:port of a broker of yours; else an Apache Kafka of its own")
    parser.add_argument("--logs", type=Path, help="folder for the logs of the service and the broker")
    parser.add_argument("--output", type=Path, help="JSON file to write")
    arguments = parser.parse_args()
    plan = _plan(arguments)
    # The client reports every try to reach a broker that is still starting.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = arguments.logs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with _broker(arguments.bootstrap, folder) as address:
            settings = soak_settings(load_settings(), address)
            log = folder / "soak.log"
            log.unlink(missing_ok=True)
            replica = Replica(settings, log, module="service.commands")
            rows = asyncio.run(soak(settings, plan, replica)).rows()
    sys.stderr.write(f"{json.dumps(rows[0])}\n")
    name = "soak_open_calls" if arguments.open_calls else "soak"
    write_json(arguments.output, name, rows, recordings().source)


if __name__ == "__main__":
    main()
