"""Everything that an open call is made of, found by looking at one: each object of ours, field by field."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from inspect import formatannotation
from typing import Any, get_type_hints

from service.call import CallState
from service.dialogue.ledger import AssertionLedger
from service.dialogue.lines import Line
from service.dialogue.memory import Memory
from service.history import History
from service.state.sequence_rows import SequenceRows

_OURS = ("service.", "streams.")

NOT_WRITTEN = {
    AssertionLedger: {"_matcher", "_settings"},  # from the settings of whoever goes on
    CallState: {"last_heard"},  # on a clock that stays behind
    History: {"_forms"},  # made again when asked for
    Line: {"spoken", "shown"},  # follow from the words
    Memory: {"limit"},
    SequenceRows: {"_limit"},
}
"""Fields that a state leaves out."""


def fields_of(part: object) -> dict[str, object]:
    """An object's fields, those that a state leaves out excepted."""
    if is_dataclass(part):
        names = [field.name for field in fields(part)]
    else:
        names = list(getattr(part, "_fields", None) or vars(part))
    left_out = NOT_WRITTEN.get(type(part), set())
    return {name: getattr(part, name) for name in names if name not in left_out}


def parts_of(whole: object) -> Iterator[object]:
    """Every object of ours within another, that one included."""
    if _is_ours(whole):
        yield whole
    for value in _within(whole).values():
        yield from parts_of(value)


def differences(one: object, other: object, place: str = "call") -> Iterator[str]:
    """Where two objects are not the same through and through."""
    if type(one) is not type(other):
        yield f"{place}: {type(one).__name__} is not {type(other).__name__}"
        return
    within, beside = _within(one), _within(other)
    if list(within) != list(beside):
        yield f"{place}: not the same parts in the same order"
    elif not within and not _is_ours(one):
        if one != other:
            yield place
    else:
        for name, value in within.items():
            yield from differences(value, beside[name], f"{place}.{name}")


def declared_fields(whole: object) -> list[str]:
    """Each class that a call is made of with its written fields and their types, one a line, sorted."""
    return sorted({line for part in parts_of(whole) for line in _declared(part)})


def _declared(part: object) -> Iterator[str]:
    declared = get_type_hints(type(part))
    for order, name in enumerate(fields_of(part)):
        type_ = f": {formatannotation(declared[name])}" if name in declared else ""
        yield f"{type(part).__module__}.{type(part).__name__} {order} {name}{type_}"


def _is_ours(part: object) -> bool:
    return type(part).__module__.startswith(_OURS)


def _within(part: object) -> Mapping[Any, object]:
    if _is_ours(part):
        return dict(fields_of(part))
    if isinstance(part, Mapping):
        return part
    return dict(enumerate(part)) if isinstance(part, list | tuple | deque) else {}
