"""Keeps what was measured, so that a second report need not measure. The file holds no text.

JSON Lines: what it was measured with, then a stretch or a call a line. It is taken only if labels, settings, models
and code are those it was measured with.
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import orjson

from service.errors import AuscultError
from service.evaluation.forms import FORMS, Form
from service.evaluation.measured import Measured, Segments
from service.evaluation.measured_segment import MeasuredProposal, MeasuredReading, MeasuredSegment
from streams.messages import Span

_KIND: Final = "auscult measured segments"


class NotMeasured(AuscultError):
    """A file that was named for measured segments holds something else."""


def write_measured(path: Path, measured: Measured, fingerprint: str) -> None:
    """Writes what was measured; the file appears complete or not at all."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    header = {"kind": _KIND, "fingerprint": fingerprint, "signals": measured.signals}
    with unfinished.open("wb") as file:
        file.write(orjson.dumps(header) + b"\n")
        file.writelines(orjson.dumps(row) + b"\n" for row in _rows(measured))
    unfinished.replace(path)


def read_measured(path: Path, fingerprint: str) -> Measured | None:
    """What was measured; None if there is no file yet, or if it was measured with something else.

    Raises:
        NotMeasured: the file holds something else.
    """
    if not path.exists():
        return None
    try:
        with path.open("rb") as file:
            header = orjson.loads(file.readline())
            if header["kind"] != _KIND:
                raise NotMeasured(_not_measured(path))
            if header["fingerprint"] != fingerprint:
                return None
            return _read(map(orjson.loads, file), header["signals"])
    except (KeyError, TypeError, orjson.JSONDecodeError):
        raise NotMeasured(_not_measured(path)) from None


def _not_measured(path: Path) -> str:
    return f"{path}: not a file of measured segments; name one that may be written"


def _rows(measured: Measured) -> Iterator[dict[str, Any]]:
    for part, by_form in (("stretch", measured.stretches), ("call", measured.calls)):
        for form, by_id in by_form.items():
            for name, segments in by_id.items():
                yield {"part": part, "form": form, "id": name, "segments": [asdict(one) for one in segments]}


def _read(rows: Iterator[dict[str, Any]], signals: dict[str, str]) -> Measured:
    stretches: dict[Form, dict[str, Segments]] = {form: {} for form in FORMS}
    calls: dict[Form, dict[str, Segments]] = {form: {} for form in FORMS}
    for row in rows:
        part = stretches if row["part"] == "stretch" else calls
        part[row["form"]][row["id"]] = tuple(map(_segment, row["segments"]))
    return Measured(stretches, calls, signals)


def _segment(fields: dict[str, Any]) -> MeasuredSegment:
    return MeasuredSegment(
        sequence=fields["sequence"],
        features=fields["features"],
        readings={name: _reading(reading) for name, reading in fields["readings"].items()},
        proposals=tuple(
            MeasuredProposal(**{**proposal, "span": _span(proposal["span"])})
            for proposal in fields["proposals"]
        ),
    )


def _reading(fields: dict[str, Any]) -> MeasuredReading:
    evidence = tuple((_span(span), value) for span, value in fields["evidence"])
    return MeasuredReading(fields["value"], fields["score"], evidence)


def _span(span: list[int] | None) -> Span | None:
    return None if span is None else (span[0], span[1])
