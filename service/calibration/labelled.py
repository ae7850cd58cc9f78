"""Labelled files, and the segments that the monitor is shown to get their features.

Two kinds of labels: clinicians' impact of real mishearings (0 none, 1 little, 2 significant), and errors injected
into recorded calls, one per copy, beside the same stretch untouched.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from service.errors import AuscultError
from streams.messages import Segment

CONTEXT_SEGMENTS = 30
"""Segments before an injected error that are shown with it."""

IMPACT_HARMFUL = {0: 0.0, 1: 0.25, 2: 1.0}
"""Clinicians' impact as a probability of significant harm: little effect is a quarter of the way."""


class InvalidLabels(AuscultError):
    """A labelled file cannot be used; names the file and line, never their text."""


@dataclass(frozen=True, slots=True)
class Item:
    """A stretch of a call with a labelled segment at its end.

    Attributes:
        source_call: The recorded call: items of one call are held out together.
        segments: The stretch, in order; under a call id of its own. The last one is labelled.
        harmful: 1 if the labelled segment would mislead a clinician significantly, 0 if not.
        kind: What kind of label it is, for weighting and reports.
    """

    source_call: str
    segments: tuple[Segment, ...] = field(repr=False)
    harmful: float
    kind: str


def read_impact(path: Path) -> list[Item]:
    """Reads clinicians' labels: `call_id, context, hypothesis, start, speech_seconds, impact` a line.

    Raises:
        InvalidLabels: a line is not such a record.
    """
    return [_impact_item(index, row, path) for index, row in enumerate(_rows(path))]


def _impact_item(index: int, row: dict[str, Any], path: Path) -> Item:
    try:
        call_id = f"impact-{index}"
        turns = [(turn["speaker"], turn["text"]) for turn in row["context"]]
        context = [
            Segment(call_id=call_id, sequence=sequence, speaker=speaker, text=text)
            for sequence, (speaker, text) in enumerate(turns)
        ]
        misheard = Segment(
            call_id=call_id,
            sequence=len(turns),
            speaker="patient",
            text=row["hypothesis"],
            start=row["start"],
            end=row["start"] + row["speech_seconds"],
        )
        return Item(
            row["call_id"], (*context, misheard), IMPACT_HARMFUL[row["impact"]], f"impact_{row['impact']}"
        )
    except (KeyError, TypeError) as error:
        raise InvalidLabels(
            f"{path}, line {index + 1}: not a labelled item ({type(error).__name__})"
        ) from None


def read_calls(folder: Path) -> dict[str, list[Segment]]:
    """Reads recorded calls, one file each: `sequence, speaker, start, end, text` a line.

    Raises:
        InvalidLabels: there is none, or a line is not a segment.
    """
    calls = {
        path.stem: [_segment(path, row) for row in _rows(path)] for path in sorted(folder.glob("*.jsonl"))
    }
    if not calls:
        raise InvalidLabels(f"{folder}: no recorded calls (*.jsonl)")
    return calls


def _segment(path: Path, row: dict[str, Any]) -> Segment:
    try:
        return Segment(
            call_id=path.stem,
            sequence=row["sequence"],
            speaker=row["speaker"],
            text=row["text"],
            start=row.get("start"),
            end=row.get("end"),
        )
    except KeyError as error:
        raise InvalidLabels(f"{path}: a line lacks {error}") from None


def read_injected(path: Path, calls: dict[str, list[Segment]]) -> Iterator[Item]:
    """Reads injected errors, `call_id, sequence, type, altered` a line: each altered, and each untouched.

    Raises:
        InvalidLabels: a line is not such a record.
    """
    for index, row in enumerate(_rows(path)):
        try:
            source, sequence, kind, altered = row["call_id"], row["sequence"], row["type"], row["altered"]
        except (KeyError, TypeError):
            raise InvalidLabels(f"{path}, line {index + 1}: not an injected error") from None
        if source not in calls:
            continue
        stretch = _stretch(calls[source], sequence)
        yield Item(source, _renamed(stretch, f"{source}~{index}", altered), 1.0, kind)
        yield Item(source, _renamed(stretch, f"{source}={index}", None), 0.0, "untouched")


def _stretch(call: Sequence[Segment], sequence: int) -> list[Segment]:
    return [segment for segment in call if sequence - CONTEXT_SEGMENTS <= segment.sequence <= sequence]


def _renamed(stretch: Iterable[Segment], call_id: str, altered: str | None) -> tuple[Segment, ...]:
    renamed = [replace(segment, call_id=call_id) for segment in stretch]
    if altered is not None:
        renamed[-1] = replace(renamed[-1], text=altered)
    return tuple(renamed)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidLabels(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            raise InvalidLabels(f"{path}, line {number}: not JSON") from None
        if not isinstance(row, dict):
            raise InvalidLabels(f"{path}, line {number}: not an object")
        yield row
