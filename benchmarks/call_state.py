"""How large the state of a call is that moves with it, and what it costs, early and late in a long call.

    python -m benchmarks.call_state [--calls COUNT]

Recorded calls follow each other as one call of an hour. The models are stand-ins: they change what is flagged and
little of what is remembered. A state is made for every call of every poll, so its cost is one of a segment where
each poll has one segment of a call.
"""

import argparse
import statistics
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.calls import Call, recordings
from benchmarks.results import write_json
from benchmarks.scaling import chained
from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from models.lexicon import load_lexicon
from service.composition import Models, model_store, monitor_with
from service.monitor import Monitor
from service.settings import load_settings
from streams.messages import Segment

MINUTES: Final = (1, 10, 30, 60, 120)
_REPETITIONS: Final = 50


@dataclass(frozen=True, slots=True)
class Measured:
    """The state of one call at one moment.

    Attributes:
        minute: Of the call.
        segments: Heard so far.
        state_bytes: As JSON.
        deflated_bytes: The same, compressed.
        write_us: Microseconds to take it out of the monitor.
        encode_us: Microseconds to make JSON of it.
        restore_us: Microseconds to go on from it in another monitor.
    """

    minute: int
    segments: int
    state_bytes: float
    deflated_bytes: float
    write_us: float
    encode_us: float
    restore_us: float


def measure_call(call: Iterator[Segment], monitor: Monitor, other: Monitor) -> Iterator[Measured]:
    """Has a call heard, and measures its state at each of `MINUTES`."""
    due = list(MINUTES)
    for segment in call:
        monitor.observe([segment], 0.0)
        if (segment.end or 0.0) >= 60.0 * due[0]:
            yield _measure(due.pop(0), segment, monitor, other)
        if not due:
            return


def _measure(minute: int, last: Segment, monitor: Monitor, other: Monitor) -> Measured:
    call_id = last.call_id
    state = monitor.snapshots([call_id])[call_id]
    written = orjson.dumps(state)
    received: dict[str, Any] = orjson.loads(written)
    return Measured(
        minute=minute,
        segments=last.sequence + 1,
        state_bytes=len(written),
        deflated_bytes=len(zlib.compress(written)),
        write_us=_microseconds(lambda: monitor.snapshots([call_id])),
        encode_us=_microseconds(lambda: orjson.dumps(state)),
        restore_us=_microseconds(lambda: other.restore(call_id, received, 0.0)),
    )


def _microseconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(_REPETITIONS):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return 1e6 * statistics.median(taken)


def median_of(measured: Sequence[Measured]) -> Measured:
    """The median of each figure over calls at the same minute."""
    rows = [asdict(one) for one in measured]
    return Measured(**{name: round(statistics.median(row[name] for row in rows)) for name in rows[0]})


def main() -> None:
    """Measures several calls of two hours, each beginning with another recording."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--calls", type=int, default=6, help="how many calls")
    parser.add_argument("--output", type=Path, help="file for the results; standard output if not given")
    arguments = parser.parse_args()
    found = recordings()
    settings = load_settings()
    lexicon = load_lexicon(model_store(settings.models).path(settings.models.lexicon))
    models = Models(FakeLanguageModel(), lexicon, FakeEmbedder(), FakeContradictionClassifier())
    monitor, other = (monitor_with(settings.monitor, models) for _ in range(2))
    step = max(1, len(found.calls) // arguments.calls)
    calls = [
        list(measure_call(_one_call(f"call-{at}", found.calls[step * at :]), monitor, other))
        for at in range(arguments.calls)
    ]
    rows = [asdict(median_of(at_minute)) for at_minute in zip(*calls, strict=True)]
    write_json(arguments.output, "call_state", rows, found.source)


def _one_call(call_id: str, recorded: Sequence[Call]) -> Iterator[Segment]:
    """The recordings after one another, under one id."""
    return (replace(segment, call_id=call_id) for segment in chained(recorded))


if __name__ == "__main__":
    main()
