"""What exactly once costs against at least once, on a real Apache Kafka: latency live, and rate on a backlog.

    python -m benchmarks.delivery_cost --rounds 3

The models are the stand-ins, so that what is measured is delivery. Latency is from the time of a segment's record to
the moment at which a reader of committed records has its assessment. Both ways run in turn on one broker.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
from aiokafka import AIOKafkaConsumer, TopicPartition

from benchmarks.apache_kafka.broker import ApacheKafka, apache_kafka
from benchmarks.distribution import percentile
from benchmarks.faults.stage import PARTITIONS, Stage
from benchmarks.faults.traffic import calls
from benchmarks.process_usage import cpu_seconds
from streams.messages import Segment

DELIVERIES: Final = ("at_least_once", "exactly_once")
LIVE_SECONDS: Final = 20.0
CALLS: Final = 40
LINES: Final = 25
BACKLOG_LINES: Final = 60
SETTLED_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took.

    Attributes:
        live: Latencies at a steady pace, seconds.
        backlog_rate: Segments per second of a backlog.
        cpu_ms: CPU time of the service for each segment of the backlog, milliseconds.
    """

    live: tuple[float, ...]
    backlog_rate: float
    cpu_ms: float


async def measured(kafka: ApacheKafka, delivery: str, folder: Path) -> Cost:
    """One run: live first, then a backlog, each on topics of its own."""
    return Cost(await _live(kafka, delivery, folder), *await _backlog(kafka, delivery, folder))


async def _live(kafka: ApacheKafka, delivery: str, folder: Path) -> tuple[float, ...]:
    stage = Stage(kafka, "live", delivery, folder, short=False)
    await stage.prepare()
    messages = [message for message in calls(CALLS, LINES) if isinstance(message, Segment)]
    async with stage.replica(), _arrivals(stage) as arrived:
        await stage.send(messages, LIVE_SECONDS)
        await _until(arrived, len(messages))
    sent = {
        (record.key.decode(), orjson.loads(record.value)["sequence"]): record.timestamp / 1000
        for record in await stage.read(stage.names.segments)
    }
    return tuple(at - sent[place] for place, at in arrived.items())


async def _backlog(kafka: ApacheKafka, delivery: str, folder: Path) -> tuple[float, float]:
    stage = Stage(kafka, "backlog", delivery, folder, short=False)
    await stage.prepare()
    messages = [message for message in calls(CALLS, BACKLOG_LINES) if isinstance(message, Segment)]
    await stage.send(messages)
    async with _arrivals(stage) as arrived, stage.replica() as replica:
        await _until(arrived, len(messages))
        cpu = cpu_seconds(replica.pid)
    times = sorted(arrived.values())
    return (len(times) - 1) / (times[-1] - times[0]), cpu * 1000 / len(messages)


@asynccontextmanager
async def _arrivals(stage: Stage) -> AsyncIterator[dict[tuple[str, int], float]]:
    """When each assessment, by call and sequence, was first seen by a reader of committed records."""
    arrived: dict[tuple[str, int], float] = {}
    partitions = [TopicPartition(stage.names.assessments, number) for number in range(PARTITIONS)]
    async with AIOKafkaConsumer(
        bootstrap_servers=stage.kafka.address,
        isolation_level="read_committed",
        auto_offset_reset="earliest",
        fetch_max_wait_ms=5,
    ) as consumer:
        consumer.assign(partitions)

        async def listen() -> None:
            async for record in consumer:
                fields = orjson.loads(record.value)
                arrived.setdefault((fields["call_id"], fields["sequence"]), time.time())

        listening = asyncio.create_task(listen())
        try:
            yield arrived
        finally:
            listening.cancel()
            await asyncio.wait({listening})


async def _until(arrived: dict[tuple[str, int], float], count: int) -> None:
    async with asyncio.timeout(SETTLED_SECONDS):
        while len(arrived) < count:  # noqa: ASYNC110 - a sample a tenth of a second is enough here
            await asyncio.sleep(0.1)


def summary(delivery: str, costs: Sequence[Cost]) -> str:
    """A line for a person."""
    live = sorted(latency for cost in costs for latency in cost.live)
    return (
        f"{delivery:<14} live ms p50 {percentile(live, 0.5) * 1000:.0f}"
        f" p90 {percentile(live, 0.9) * 1000:.0f} p99 {percentile(live, 0.99) * 1000:.0f}"
        f"   backlog segments/s {statistics.median(cost.backlog_rate for cost in costs):.0f}"
        f"   CPU ms/segment {statistics.median(cost.cpu_ms for cost in costs):.2f}"
    )


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.delivery_cost", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="Runs of each way.")
    rounds: int = parser.parse_args().rounds
    costs: dict[str, list[Cost]] = {delivery: [] for delivery in DELIVERIES}
    with tempfile.TemporaryDirectory() as folder, apache_kafka(Path(folder)) as kafka:
        for _ in range(rounds):
            for delivery in DELIVERIES:
                costs[delivery].append(asyncio.run(measured(kafka, delivery, Path(folder))))
    for delivery in DELIVERIES:
        sys.stdout.write(summary(delivery, costs[delivery]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
