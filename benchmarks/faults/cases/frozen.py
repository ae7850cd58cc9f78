"""A replica that stands still until the group has given its partitions away, and then goes on as if nothing was."""

import asyncio

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls


async def frozen(stage: Stage) -> Outcome:
    """SIGSTOP for twice the session timeout: what it has in hand then belongs to another replica."""
    messages = calls(20, 40)
    pace = {"FAULTS_SLOW_SECONDS": "0.1"}
    async with stage.replica("one", environment=pace) as first, stage.replica("two", environment=pace):
        sending = asyncio.create_task(stage.send(messages, 20.0))
        await stage.at_work(60)
        stage.fault()
        with first.frozen():
            await asyncio.sleep(2 * first.settings.kafka.session_seconds)
        await sending
        outcome = await stage.judged(messages)
        await first.stop()
    return outcome
