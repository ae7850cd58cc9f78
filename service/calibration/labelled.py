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

SEGMENTS_AFTER = 2
"""Segments after an injected error in which it may still show: the answer that does not fit, the read-back."""

UNTOUCHED = "untouched"
"""Kind of an item that shows the stretch of an injected error without it."""

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
        after: The segments that follow the stretch, where a recorded call goes on.
        impact: The clinicians' label, where that is what it is.
        reference: What was truly said, where it is known.
    """

    source_call: str
    segments: tuple[Segment, ...] = field(repr=False)
    harmful: float
    kind: str
    after: tuple[Segment, ...] = field(default=(), repr=False)
    impact: int | None = None
    reference: str | None = field(default=None, repr=False)


def read_impact(path: Path) -> list[Item]:
    """Reads clinicians' labels: `call_id, context, hypothesis, start, speech_seconds, impact, reference?` a line.

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
        impact, source = row["impact"], _call_name(row["call_id"], place)
        harmful, reference = IMPACT_HARMFUL[impact], row.get("reference")
    except (KeyError, TypeError) as error:
        raise InvalidLabels(f"{place}: not a labelled item ({type(error).__name__})") from None
    if not isinstance(reference, str | None):
        raise InvalidLabels(f"{place}: the reference is not a text")
    segments = tuple(
        _segment({"call_id": f"impact-{index}", "sequence": sequence, **turn}, place)
        for sequence, turn in enumerate(turns)
    )
    return Item(source, segments, harmful, f"impact_{impact}", impact=impact, reference=reference)


def read_calls(folder: Path) -> dict[str, list[Segment]]:
    """Reads recorded calls, one file each: `sequence, speaker, start, end, text` a line.

    Raises:
        InvalidLabels: there is none, a line is not a segment, or two have the same sequence.
    """
    calls = {path.stem: _recorded_call(path) for path in sorted(folder.glob("*.jsonl"))}
    if not calls:
        raise InvalidLabels(f"{folder}: no recorded calls (*.jsonl)")
    return calls


def _recorded_call(path: Path) -> list[Segment]:
    segments: dict[int, Segment] = {}
    for index, row in enumerate(_rows(path)):
        place = f"{path}, line {index + 1}"
        segment = _segment({**row, "call_id": path.stem}, place)
        if segment.sequence in segments:
            raise InvalidLabels(f"{place}: the sequence of an earlier line")
        segments[segment.sequence] = segment
    return list(segments.values())


def read_unclear(folder: Path) -> dict[str, frozenset[int]]:
    """Which segments of recorded calls their transcriber marked `unclear`, by call.

    Raises:
        InvalidLabels: a line is not an object.
    """
    return {
        path.stem: frozenset(row["sequence"] for row in _rows(path) if row.get("unclear"))
        for path in sorted(folder.glob("*.jsonl"))
    }


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
            stretch, after = _stretch(calls[source], sequence)
        except (KeyError, TypeError) as error:
            raise InvalidLabels(
                f"{place}: not an injected error of a call that is there ({type(error).__name__})"
            ) from None
        if not stretch or stretch[-1].sequence != sequence or not isinstance(altered, str):
            raise InvalidLabels(f"{place}: no such segment, or nothing altered")
        untouched = stretch[-1]
        for mark, segment, harmful, label in (
            ("~", replace(untouched, text=altered), 1.0, kind),
            ("=", untouched, 0.0, UNTOUCHED),
        ):
            own_id = f"{source}{mark}{index}"
            segments = _renamed([*stretch[:-1], segment], own_id)
            yield Item(source, segments, harmful, label, _renamed(after, own_id))


def _stretch(call: Sequence[Segment], sequence: int) -> tuple[list[Segment], list[Segment]]:
    """The segments up to one with those before it, and those right after it."""
    first, last = sequence - CONTEXT_SEGMENTS, sequence + SEGMENTS_AFTER
    return (
        [segment for segment in call if first <= segment.sequence <= sequence],
        [segment for segment in call if sequence < segment.sequence <= last],
    )


def _renamed(stretch: Iterable[Segment], call_id: str) -> tuple[Segment, ...]:
    return tuple(replace(segment, call_id=call_id) for segment in stretch)


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
