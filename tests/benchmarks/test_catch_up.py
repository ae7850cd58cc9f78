"""Catching up: what waits, for how long, and how it is written down."""

from dataclasses import replace

import orjson

from benchmarks.catch_up import CaughtUp, Waiting
from streams.messages import Segment


def assessment(sequence: int, absent: str | None = None) -> bytes:
    signals = {"perplexity": {"absent": None}, "embedding_drift": {"absent": absent}}
    return orjson.dumps({"call_id": "c1", "sequence": sequence, "signals": signals})


def test_what_was_said_first_and_is_not_assessed_has_waited_longest() -> None:
    waiting = Waiting()
    assert waiting.longest(now=100.0) == 0.0
    for sequence in range(3):
        waiting.say(Segment(call_id="c1", sequence=sequence, speaker="patient", text="no"), 10.0 * sequence)
    waiting.assess(assessment(1))
    assert waiting.longest(now=100.0) == 100.0
    waiting.assess(assessment(0, "shed"))
    assert waiting.longest(now=100.0) == 80.0
    waiting.assess(assessment(2, "short_line"))
    assert waiting.longest(now=100.0) == 0.0
    assert (waiting.assessed, waiting.shed) == (3, 1)


def test_an_assessment_that_comes_twice_counts_once() -> None:
    waiting = Waiting()
    waiting.say(Segment(call_id="c1", sequence=0, speaker="patient", text="no"), 0.0)
    waiting.assess(assessment(0))
    waiting.assess(assessment(0))
    assert waiting.assessed == 1


def test_the_rate_is_of_everything_assessed_meanwhile_and_the_time_is_compared() -> None:
    everything = CaughtUp(
        (), backlog=100, seconds=8.0, segments=120, shed_segments=0, cpu_ms_per_segment=50.0
    )
    hurried = replace(everything, shed=("embedding_drift", "perplexity"), seconds=5.0)
    assert everything.row(everything)["segments_per_second"] == 15.0
    assert everything.row(everything)["shed"] == "nothing"
    assert hurried.row(everything)["shed"] == "embedding_drift, perplexity"
    assert hurried.row(everything)["times_as_fast"] == 1.6
