"""Invented calls of any length, with times."""

from benchmarks.calls import Call
from streams.messages import Segment

SAID = (
    "i have had this headache for three days now",
    "okay",
    "do you take anything for it such as ibuprofen",
    "no i did not take anything for it at all",
)


def invented_call(name: str, segments: int, seconds_each: float = 4.0) -> Call:
    return tuple(
        Segment(
            call_id=name,
            sequence=number,
            speaker="patient" if number % 2 else "clinician",
            text=f"{SAID[number % len(SAID)]} {name} {number}",
            start=seconds_each * number,
            end=seconds_each * (number + 1) - 1.0,
        )
        for number in range(segments)
    )
