"""Real calls to measure with: the measuring data beside the repository, else the bundled consultations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final

from service.demo.bundle import consultation_files, consultation_names
from streams.decoding import Limits, decode
from streams.messages import Segment

RECORDED_CALLS: Final = Path(__file__).parents[2] / "shared" / "data" / "primock57"

Call = tuple[Segment, ...]
"""The segments of one call, in order; each has its times."""


@dataclass(frozen=True, slots=True)
class Recordings:
    """Calls, and where they come from, for the results."""

    source: str
    calls: tuple[Call, ...] = field(repr=False)


def recordings(folder: Path = RECORDED_CALLS) -> Recordings:
    """The calls of a folder of JSON Lines files, one call a file; the bundled ones where it is absent."""
    files = sorted(folder.glob("*.jsonl"))
    if files:
        return Recordings(f"{len(files)} calls of PriMock57 (CC BY 4.0)", tuple(map(_call, files)))
    bundled = consultation_files(consultation_names())
    return Recordings(f"{len(bundled)} bundled consultations", tuple(map(_call, bundled)))


def in_turn(calls: Sequence[Call]) -> Iterator[Segment]:
    """The first segment of each call, then the second of each, and so on: as calls come that are live together."""
    return (segment for segment in chain.from_iterable(zip_longest(*calls)) if segment is not None)


def _call(file: Path) -> Call:
    messages = (decode(line, Limits()).message for line in file.read_bytes().splitlines() if line.strip())
    return tuple(message for message in messages if isinstance(message, Segment) and message.end is not None)
