"""A model that raises now and then: its signal is absent, and no segment is lost."""

import orjson

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls


async def failing_model(stage: Stage) -> Outcome:
    """Every third batch of the embedding model raises. Where it did, the assessment says so and may differ."""
    messages = calls(20, 40)
    async with stage.replica("one", environment={"FAULTS_FAILING_SHARE": "0.33"}) as replica:
        await stage.send(messages, 5.0)
        outcome = await stage.judged(messages)
        await replica.stop()
    assessments = [orjson.loads(record.value) for record in await stage.read(stage.names.assessments)]
    failed = sum(
        any(reading["absent"] == "failed" for reading in fields["signals"].values()) for fields in assessments
    )
    return outcome.with_different_excused(failed, failed_signals=failed)
