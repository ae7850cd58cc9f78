"""The broker goes, in order or not, and comes back."""

import asyncio
from collections.abc import Callable

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.replica import Replica
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls


async def broker_stopped(stage: Stage) -> Outcome:
    """Shut down in order, away for 30 s."""
    return await _away(stage, stage.kafka.stop, 5.0 if stage.short else 30.0)


async def broker_killed(stage: Stage) -> Outcome:
    """SIGKILL, and started again at once."""
    return await _away(stage, stage.kafka.kill, 0.0)


async def _away(stage: Stage, end: Callable[[], None], seconds: float) -> Outcome:
    messages = calls(20, 60)
    async with stage.replica("one", environment={"FAULTS_SLOW_SECONDS": "0.05"}) as replica:
        sending = asyncio.create_task(stage.send(messages, 15.0))
        await stage.at_work(100)
        await asyncio.to_thread(end)
        try:
            await asyncio.sleep(seconds)
            failed = await _judged_wrong(replica) if seconds else ""
        finally:
            await asyncio.to_thread(stage.kafka.start)
        stage.fault()
        await sending
        outcome = await stage.judged(messages, away_s=seconds, **({"failed": failed} if failed else {}))
        await replica.ready()
    return outcome


async def _judged_wrong(replica: Replica) -> str:
    """What the probes say that they should not while the broker is away."""
    if replica.ended:
        return "the service ended"
    if not await replica.alive():
        return "not live"
    return "ready" if await replica.says_ready() else ""
