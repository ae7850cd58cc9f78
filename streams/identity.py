"""Ids of outputs: the same call, sequence and kind give the same id, so that a redelivery repeats it."""

from typing import Final
from uuid import UUID, uuid5

from streams.messages import Span

NAMESPACE: Final = UUID("61a3ff4a-758f-5421-8f72-453b3131e468")
"""Changing it changes every id: readers that keep the last record of each id would see everything twice."""

_SEPARATOR: Final = "\x1f"
"""Cannot occur in a call id, which holds printable characters only; so no two names fall together."""


def assessment_id(call_id: str, sequence: int) -> str:
    """The id of a segment's assessment; a revision has the same."""
    return _name(call_id, str(sequence), "assessment")


def flag_id(call_id: str, sequence: int, type_: str, span: Span | None) -> str:
    """The id of a flag: its type and where in the segment's text it sits belong to it."""
    place = "whole" if span is None else f"{span[0]}-{span[1]}"
    return _name(call_id, str(sequence), "flag", type_, place)


def summary_id(call_id: str) -> str:
    """The id of a call's summary; a call that fell silent and went on has the same for its second."""
    return _name(call_id, "", "summary")


def _name(*parts: str) -> str:
    return str(uuid5(NAMESPACE, _SEPARATOR.join(parts)))
