"""The group shares its partitions out anew while a replica computes for seconds."""

import asyncio

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls

SLOW = {"FAULTS_SLOW_SECONDS": "1.5"}
"""Each poll takes a few of these."""


async def rebalanced_while_slow(stage: Stage) -> Outcome:
    """A second replica comes and goes while the first is busy."""
    messages = calls(10, 6 if stage.short else 14)
    async with stage.replica("one", environment=SLOW):
        sending = asyncio.create_task(stage.send(messages, 5.0))
        await stage.at_work(1)
        stage.fault()
        async with stage.replica("two", environment=SLOW) as second:
            await asyncio.sleep(4.0)
            stage.fault()
            await second.stop()
        await sending
        return await stage.judged(messages)
