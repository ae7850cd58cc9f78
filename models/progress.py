"""How long work says how far it has come."""

from collections.abc import Callable

Report = Callable[[str, float], None]
"""Called with a short name of the present step and how much of it is done, 0..1."""


def silent(step: str, fraction: float) -> None:
    """A report that nobody reads."""
