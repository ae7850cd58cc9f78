"""The state topic is emptied: the service says so, goes on, and loses no segment."""

import asyncio

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import PARTITIONS, Stage
from benchmarks.faults.traffic import calls


async def state_lost(stage: Stage) -> Outcome:
    """Killed, its states deleted, started again. Calls that were open begin anew, so their risk may differ."""
    messages = calls(20, 40)
    async with stage.replica("one") as replica:
        sending = asyncio.create_task(stage.send(messages, 6.0))
        await stage.at_work(100)
        await replica.kill()
        await _delete(stage)
        stage.fault()
        await replica.start()
        await replica.ready()
        await sending
        outcome = await stage.judged(messages)
        said = b"states of calls are lost" in replica.log.read_bytes()
        await replica.stop()
    return outcome.with_different_excused(
        outcome.different, **({} if said else {"failed": "silent about it"})
    )


async def _delete(stage: Stage) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=stage.kafka.address)
    await admin.start()
    try:
        # Only what may be deleted by age can be deleted by hand.
        policy = {"cleanup.policy": "delete"}
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, stage.names.state, policy)])
        everything = RecordsToDelete(-1)
        await admin.delete_records(
            {TopicPartition(stage.names.state, number): everything for number in range(PARTITIONS)}
        )
    finally:
        await admin.close()
