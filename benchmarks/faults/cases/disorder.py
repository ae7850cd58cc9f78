"""A producer that sends records twice and out of order."""

import random

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import Message, calls, encoded, quiet_run
from streams.messages import CallEnded


async def duplicates_and_disorder(stage: Stage) -> Outcome:
    """Every fifth record is sent again later, every seventh comes late; some of the calls are left alone."""
    messages = calls(20, 40)
    ends = [message for message in messages if isinstance(message, CallEnded)]
    shuffled = [*_disordered([message for message in messages if not isinstance(message, CallEnded)]), *ends]
    async with stage.replica("one") as replica:
        await stage.send_raw([encoded(message) for message in shuffled], 5.0)
        # The order of arrival is part of what a quiet run is given: what comes late is assessed late.
        outcome = await stage.judged_against(quiet_run(shuffled, stage.settings()), records=len(shuffled))
        await replica.stop()
    return outcome


def _disordered(messages: list[Message]) -> list[Message]:
    chance = random.Random(5)  # noqa: S311 - the same disorder each time
    places = [(float(place), message) for place, message in enumerate(messages)]
    late = [(place + chance.uniform(20, 200), message) for place, message in places[::7]]
    again = [(place + chance.uniform(1, 300), message) for place, message in places[::5]]
    kept = [each for number, each in enumerate(places) if number % 7]
    return [message for _, message in sorted([*kept, *late, *again], key=lambda each: each[0])]
