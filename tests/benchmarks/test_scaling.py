from itertools import chain, islice

import pytest

from benchmarks.arms import ArmResult, BlockCost
from benchmarks.calls import Call
from benchmarks.scaling import (
    MEASURED_OF_PIECE,
    MINUTES,
    PIECES,
    chained,
    compare,
    megabytes_per_call,
    plan_calls,
    plan_minute,
)
from streams.messages import Segment
from tests.benchmarks.calls import invented_call

CALLS: list[Call] = [invented_call(f"call{number}", 30 + number) for number in range(7)]


def words(segments: list[Segment]) -> list[tuple[str, ...]]:
    """What is said, without the last two words, which are each call's own."""
    return [tuple(segment.text.split()[:-2]) for segment in segments]


def test_more_calls_say_the_same_in_the_same_order() -> None:
    few, many = (list(chain.from_iterable(plan_calls(CALLS, count).blocks)) for count in (10, 500))
    assert words(few) == words(many)
    assert len({segment.call_id for segment in few}) == 10
    assert len({segment.call_id for segment in many}) == len(many) == 400


@pytest.mark.parametrize("count", [10, 30, 500])
def test_every_call_is_open_and_warm_before_it_is_measured_and_goes_on_where_it_was(count: int) -> None:
    plan = plan_calls(CALLS, count)
    assert len({segment.call_id for segment in plan.warm}) == len(plan.warm) == count
    last = {segment.call_id: segment.sequence for segment in plan.warm}
    for segment in chain.from_iterable(plan.blocks):
        assert segment.sequence == last[segment.call_id] + 1
        last[segment.call_id] = segment.sequence


def test_every_minute_measures_the_same_words_after_more_of_them() -> None:
    plans = {minute: plan_minute(CALLS, minute) for minute in MINUTES}
    measured = {minute: list(chain.from_iterable(plan.blocks)) for minute, plan in plans.items()}
    assert words(measured[5]) == words(measured[20]) == words(measured[60])
    assert len(measured[5]) > 0.9 * PIECES * MEASURED_OF_PIECE
    assert len(plans[5].past) < len(plans[20].past) < len(plans[60].past)
    assert all(3300 < (segment.end or 0.0) < 3700 for segment in measured[60])


def test_chained_calls_are_one_call_whose_time_goes_on() -> None:
    segments = list(islice(chained(CALLS), 200))
    assert [segment.sequence for segment in segments] == list(range(200))
    starts = [segment.start or 0.0 for segment in segments]
    assert starts == sorted(starts)


def test_arms_are_compared_block_by_block() -> None:
    first = ArmResult(10, 600.0, (BlockCost(1.0, 1.0), BlockCost(2.0, 2.0), BlockCost(3.0, 3.0)), 60)
    other = ArmResult(110, 900.0, (BlockCost(1.1, 2.0), BlockCost(2.2, 4.0), BlockCost(30.0, 6.0)), 60)
    compared = compare({10: first, 110: other})
    assert [one.cpu_ratio for one in compared] == [1.0, 1.1]
    assert compared[1].wall_ratio == 2.0
    assert compared[0].cpu_ms == 100.0
    assert megabytes_per_call(compared) == pytest.approx((570.0, 3.0))
