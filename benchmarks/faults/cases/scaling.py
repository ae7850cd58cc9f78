"""Two replicas become three, and then one, under load."""

import asyncio
from contextlib import AsyncExitStack

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls


async def scaled(stage: Stage) -> Outcome:
    """Replicas come, one goes in order, one is killed, each while segments keep coming."""
    seconds = 15.0 if stage.short else 40.0
    messages = calls(30, 40 if stage.short else 120)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stage.replica("one"))
        second = await stack.enter_async_context(stage.replica("two"))
        sending = asyncio.create_task(stage.send(messages, seconds))
        await asyncio.sleep(seconds / 5)
        stage.fault()
        third = await stack.enter_async_context(stage.replica("three"))
        await asyncio.sleep(seconds / 5)
        stage.fault()
        stopped_in = await third.stop()
        await asyncio.sleep(seconds / 5)
        stage.fault()
        await second.kill()
        await sending
        return await stage.judged(messages, replicas="2-3-2-1", stopped_in_s=f"{stopped_in:.1f}")
