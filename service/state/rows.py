"""Small frozen dataclasses as rows: the values of their fields, in the order in which these are declared."""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

_Row = TypeVar("_Row")


def row_writer(dataclass: type[_Row]) -> Callable[[_Row], Any]:
    """What gives an instance's fields as a tuple; `dataclass(*row)` reads it back.

    The fields are taken from the class, so that none can be left out. A contract test compares them with the form that
    is read.

    Args:
        dataclass: Of two or more fields, all of them plain data.
    """
    return attrgetter(*(field.name for field in fields(dataclass)))  # type: ignore[arg-type]
