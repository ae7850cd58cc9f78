"""SIGKILL of the service in the middle of its work, again and again, at random moments."""

import asyncio
import random
import time
from typing import Final

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls

KILLS: Final = 20
SHORT_KILLS: Final = 3
PACE: Final = {"FAULTS_SLOW_SECONDS": "0.1"}
"""Makes a batch last, so that most moments lie within one."""


async def killed_mid_batch(stage: Stage) -> Outcome:
    """One replica that is killed and comes back under its name; segments keep coming meanwhile."""
    kills = SHORT_KILLS if stage.short else KILLS
    messages = calls(20, 12 * kills)
    moments = random.Random(stage.prefix)  # noqa: S311 - any moment will do
    async with stage.replica("one", environment=PACE) as replica:
        sending = asyncio.create_task(stage.send(messages, 4.0 * kills))
        comebacks = []
        for _ in range(kills):
            await asyncio.sleep(moments.uniform(0.2, 2.0))
            await replica.kill()
            stage.fault()
            killed_at = time.time()
            await replica.start()
            comebacks.append(await replica.ready() - killed_at)
        await sending
        return await stage.judged(messages, kills=kills, ready_again_s=f"{sum(comebacks) / kills:.1f}")
