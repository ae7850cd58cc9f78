"""Static members on a real Apache Kafka: who comes back in time has its partitions again, and the others read on."""

from collections.abc import Callable

import pytest

from service.live.poll import PollProcessor
from service.settings import Settings
from tests.kafka import everything, send
from tests.service.live.conftest import Bench, PlainObserver, Running, until
from tests.service.live.test_delivery import CALLS, ids, lines, until_seen

PATIENT_SECONDS = 60.0
"""A session that no restart outlasts."""


@pytest.fixture
def asked_to_settle(monkeypatch: pytest.MonkeyPatch) -> list[PollProcessor]:
    """Who was asked, in order, to settle its work for a rebalance."""
    asked: list[PollProcessor] = []
    settle = PollProcessor.settle

    async def note(processor: PollProcessor) -> None:
        asked.append(processor)
        await settle(processor)

    monkeypatch.setattr(PollProcessor, "settle", note)
    return asked


def member(bench: Bench, name: str, session_seconds: float) -> Settings:
    return bench.settings(member=name, session_seconds=session_seconds)


def reads(running: Running, partitions: int) -> Callable[[], bool]:
    return lambda: running.value("auscult_assigned_partitions") == partitions


async def test_one_that_comes_back_in_time_has_its_calls_again_and_the_other_is_not_disturbed(
    own_bench: Bench, asked_to_settle: list[PollProcessor]
) -> None:
    stays, goes, back = PlainObserver(), PlainObserver(), PlainObserver()
    async with own_bench.service(stays, member(own_bench, "stays", PATIENT_SECONDS)) as staying:
        await until(reads(staying, 3))
        async with own_bench.service(goes, member(own_bench, "goes", PATIENT_SECONDS)) as going:
            await until(lambda: len(going.service._ownership.partitions) > 0)
            await until(lambda: len(staying.service._ownership.partitions) < 3)
            await send(own_bench.address, own_bench.names.segments, lines(0))
            await until_seen(own_bench, 12)
            left = going.service._ownership.partitions
        asked_to_settle.clear()
        forgotten = list(stays.forgotten)
        await send(own_bench.address, own_bench.names.segments, lines(1))
        await until(lambda: all(len(call) == 2 for call in stays.seen.values()))
        async with own_bench.service(back, member(own_bench, "goes", PATIENT_SECONDS)) as again:
            await until_seen(own_bench, 24)
            assert again.service._ownership.partitions == left
        assert staying.service._processor not in asked_to_settle
        assert stays.forgotten == forgotten
    assert set(back.restored) == set(CALLS) - set(stays.seen)
    assert set(back.restored)
    seen = ids(await everything(own_bench.address, own_bench.names.assessments))
    assert len(seen) == len(set(seen)) == 24


async def test_the_calls_of_one_that_stays_away_go_on_elsewhere(own_bench: Bench) -> None:
    stays, goes = PlainObserver(), PlainObserver()
    async with own_bench.service(stays, member(own_bench, "stays", 6)) as staying:
        await until(reads(staying, 3))
        async with own_bench.service(goes, member(own_bench, "goes", 6)) as going:
            await until(lambda: len(going.service._ownership.partitions) > 0)
            await until(lambda: len(staying.service._ownership.partitions) < 3)
            await send(own_bench.address, own_bench.names.segments, lines(0))
            await until_seen(own_bench, 12)
        await send(own_bench.address, own_bench.names.segments, lines(1))
        await until_seen(own_bench, 24)
        assert len(staying.service._ownership.partitions) == 3
    assert {call: len(seen) for call, seen in stays.seen.items()} == dict.fromkeys(CALLS, 2)
