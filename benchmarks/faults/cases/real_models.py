"""Killed once with the real models: their caches are rebuilt, and risk and flags are those of a quiet run."""

import asyncio

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls, quiet_run


async def real_models(stage: Stage) -> Outcome:
    """As installed, from the command line that users run."""
    messages = calls(8, 12 if stage.short else 30)
    async with stage.replica("one", module="service.commands") as replica:
        sending = asyncio.create_task(stage.send(messages, 6.0))
        await stage.at_work(10)
        await replica.kill()
        stage.fault()
        await replica.start()
        await replica.ready()
        await sending
        expected = await asyncio.to_thread(quiet_run, messages, stage.settings(), real_models=True)
        outcome = await stage.judged_against(expected)
        await replica.stop()
    return outcome
