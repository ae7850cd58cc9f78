"""Random and mutated payloads among good ones: each is a dead letter or is read, and nothing else suffers."""

import random
from typing import Final

from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage
from benchmarks.faults.traffic import calls, encoded
from service.settings import DeadLetterSettings

PAYLOADS: Final = 10_000
SHORT_PAYLOADS: Final = 1_000
_LONGEST_RANDOM: Final = 400


async def mutated_payloads(stage: Stage) -> Outcome:
    """Mutated ones keep their partition but never the key of a good call."""
    count = SHORT_PAYLOADS if stage.short else PAYLOADS
    messages = calls(20, 40)
    good = [encoded(message) for message in messages]
    chance = random.Random(11)  # noqa: S311 - the same payloads each time
    bad = [
        (b"mutated-" + str(number).encode(), mutated(chance.choice(good)[1], chance))
        for number in range(count)
    ]
    mixed = _mixed(good, bad, chance)
    allowed = DeadLetterSettings(share=1.0)
    async with stage.replica("one", dead_letters=allowed) as replica:
        await stage.send_raw(mixed)
        outcome = await stage.judged(messages, mutated=count)
        await replica.stop()
    letters = await stage.read(stage.names.dead_letters)
    origins = {
        tuple(value for name, value in letter.headers if name.startswith("origin")) for letter in letters
    }
    return outcome.with_notes(dead_letters=len(letters), dead_letters_twice=len(letters) - len(origins))


def mutated(value: bytes, chance: random.Random) -> bytes:
    """A payload that was damaged: cut, overwritten, with bytes put in, or all noise. Its call is nobody else's."""
    value = value.replace(b'"call_id":"', b'"call_id":"mutated-')
    kind = chance.randrange(5)
    place = chance.randrange(len(value))
    if kind == 0:
        return value[:place]
    if kind == 1:
        return chance.randbytes(chance.randrange(_LONGEST_RANDOM))
    if kind == 2:
        return value[:place] + chance.randbytes(chance.randrange(1, 8)) + value[place:]
    if kind == 3:
        return value.replace(
            b'"sequence":', chance.choice([b'"sequence":-', b'"sequence":"', b'"sequenze":'])
        )
    return value[:place] + bytes([chance.randrange(256)]) + value[place + 1 :]


def _mixed(
    good: list[tuple[bytes, bytes]], bad: list[tuple[bytes, bytes]], chance: random.Random
) -> list[tuple[bytes, bytes]]:
    """Both together; the good ones stay in their order."""
    places = sorted(
        [(chance.random(), one) for one in bad]
        + [(number / len(good), one) for number, one in enumerate(good)],
        key=lambda each: each[0],
    )
    return [one for _, one in places]
