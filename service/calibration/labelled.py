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
from streams.decoding import Limits, MalformedRecord, decode
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
    place = f"{path}, line {index + 1}"
    try:
        turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in row["context"]]
        end = row["start"] + row["speech_seconds"]
        turns.append({"speaker": "patient", "text": row["hypothesis"], "start": row["start"], "end": end})
        harmful, source = IMPACT_HARMFUL[row["impact"]], _call_name(row["call_id"], place)
    except (KeyError, TypeError) as error:
        raise InvalidLabels(f"{place}: not a labelled item ({type(error).__name__})") from None
    segments = tuple(
        _segment({"call_id": f"impact-{index}", "sequence": sequence, **turn}, place)
        for sequence, turn in enumerate(turns)
    )
    return Item(source, segments, harmful, f"impact_{row['impact']}")


def read_calls(folder: Path) -> dict[str, list[Segment]]:
    """Reads recorded calls, one file each: `sequence, speaker, start, end, text` a line.

    Raises:
        InvalidLabels: there is none, or a line is not a segment.
    """
    calls = {
        path.stem: [
            _segment({**row, "call_id": path.stem}, f"{path}, line {index + 1}")
            for index, row in enumerate(_rows(path))
        ]
        for path in sorted(folder.glob("*.jsonl"))
    }
    if not calls:
        raise InvalidLabels(f"{folder}: no recorded calls (*.jsonl)")
    return calls


def _segment(fields: dict[str, Any], place: str) -> Segment:
    """A segment under the same rules as on the live topic."""
    try:
        message = decode(orjson.dumps(fields), Limits()).message
    except MalformedRecord as malformed:
        raise InvalidLabels(f"{place}: {malformed}") from None
    if not isinstance(message, Segment):
        raise InvalidLabels(f"{place}: not a final segment")
    return message


def _call_name(name: Any, place: str) -> str:
    """A call's name, which becomes a file's name."""
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise InvalidLabels(f"{place}: call_id is not a plain name")
    return name


def read_injected(path: Path, calls: dict[str, list[Segment]]) -> Iterator[Item]:
    """Reads injected errors, `call_id, sequence, type, altered` a line: each altered, and each untouched.

    Raises:
        InvalidLabels: a line is not such a record.
    """
    for index, row in enumerate(_rows(path)):
        place = f"{path}, line {index + 1}"
        try:
            source, sequence, kind, altered = row["call_id"], row["sequence"], row["type"], row["altered"]
            stretch = _stretch(calls[source], sequence)
        except (KeyError, TypeError) as error:
            raise InvalidLabels(
                f"{place}: not an injected error of a call that is there ({type(error).__name__})"
            ) from None
        if not stretch or stretch[-1].sequence != sequence or not isinstance(altered, str):
            raise InvalidLabels(f"{place}: no such segment, or nothing altered")
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
