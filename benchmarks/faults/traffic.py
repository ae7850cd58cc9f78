"""Calls to send: copies of the bundled consultations, all live together, each ended at its end."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice

import orjson

from benchmarks.calls import in_turn
from benchmarks.faults.outcome import Expected
from benchmarks.faults.serve_with_fakes import fake_models
from service.composition import monitor_with, open_models
from service.demo.bundle import consultation_files, consultation_names
from service.observation import Observation
from service.settings import Settings
from streams.decoding import Limits, decode
from streams.encoding import encode_call_ended, segment_fields
from streams.messages import CallEnded, Segment

Message = Segment | CallEnded


def calls(count: int, lines: int) -> list[Message]:
    """So many calls of at most so many lines, interleaved line by line; then the end of each."""
    read = [
        [decode(line, Limits())[0] for line in path.read_bytes().splitlines()]
        for path in consultation_files(consultation_names())
    ]
    copies = [
        [
            replace(message, call_id=f"{message.call_id}-{number}", tenant=None)
            for message in call[:lines]
            if isinstance(message, Segment)
        ]
        for number, call in enumerate(islice(cycle(read), count))
    ]
    ends = [CallEnded(call_id=copy[0].call_id) for copy in copies]
    return [*in_turn([tuple(copy) for copy in copies]), *ends]


def encoded(message: Message) -> tuple[bytes, bytes]:
    """Key and value of a record."""
    value = (
        encode_call_ended(message)
        if isinstance(message, CallEnded)
        else orjson.dumps(segment_fields(message))
    )
    return message.call_id.encode(), value


def quiet_run(messages: Sequence[Message], settings: Settings, *, real_models: bool = False) -> Expected:
    """What comes of the messages when nothing goes wrong."""
    open_ = open_models if real_models else fake_models
    monitor = monitor_with(settings.monitor, open_(settings.models))
    observations: list[Observation] = [
        monitor.observe(messages[start : start + 64], now=0.0) for start in range(0, len(messages), 64)
    ]
    return Expected(
        {
            assessment.id: (assessment.risk, frozenset(flag.id for flag in assessment.flags))
            for observation in observations
            for assessment in observation.assessments
        },
        {summary.id: summary.segments for observation in observations for summary in observation.summaries},
    )
