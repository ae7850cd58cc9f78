"""The hand-written spoken cases, and how an understanding of them is held against what a listener understands.

Each case is a short invented dialogue. They were written before the rules were tried on them, and are split once, by
a hash of their names: rules may be developed on one half, the other is kept aside. Those named `later`, `surgery` and
`visit` were written while the rules were developed, to find what else they do not understand; those named `round` were
written after them, and are kept aside.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from streams.messages import Speaker

Half = Literal["developed", "kept"]
Status = Literal["present", "absent", "open", "past", "planned"]

_STATUS: dict[str, Status] = {
    "hypothetical": "open",
    "future": "planned",
    "history": "past",
    "present": "present",
    "absent": "absent",
    "possible": "open",
}
_LOTS: dict[str, Half] = {"later": "developed", "surgery": "developed", "visit": "developed", "round": "kept"}
_FILE = Path(__file__).with_name("spoken_cases.jsonl")


@dataclass(frozen=True, slots=True)
class Expected:
    """What a listener understands of one concept by the end of the dialogue.

    Attributes:
        polarity: None where it is only supposed ("if you get a fever").
        temporality: `now`, `history`, `hypothetical` or `future`.
        value: A number that is said of it, in `unit`, or without one.
        per_day: How often a day.
    """

    concept: str
    polarity: Literal["present", "absent", "possible"] | None = None
    experiencer: Literal["patient", "family", "other"] = "patient"
    temporality: Literal["now", "history", "hypothetical", "future"] = "now"
    value: float | None = None
    unit: str | None = None
    per_day: int | None = None
    side: Literal["left", "right"] | None = None

    @property
    def status(self) -> Status:
        """Polarity and time in one: what is only possible, or supposed, is `open`."""
        return _STATUS.get(self.temporality) or _STATUS[str(self.polarity)]

    @property
    def own(self) -> bool:
        """Whether it is the patient's."""
        return self.experiencer == "patient"


@dataclass(frozen=True, slots=True)
class Case:
    """One dialogue.

    Attributes:
        lines: Who says what, in order.
        assertions: What is understood at the end.
        asks: The kind of question that the last line asks; `none` where it asks nothing.
        reply: What the last line answers about the thing asked: "no" to "so no fever?" and "yes" both mean no.
        fits: Whether the last line can answer its question.
    """

    id: str
    lines: tuple[tuple[Speaker, str], ...]
    assertions: tuple[Expected, ...] = ()
    asks: str | None = None
    reply: Literal["yes", "no", "unsure"] | None = None
    fits: bool | None = None

    @property
    def half(self) -> Half:
        """Which half of the cases it is in."""
        lot = self.id.split("-")[0]
        if lot in _LOTS:
            return _LOTS[lot]
        return "developed" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "kept"


def spoken_cases() -> tuple[Case, ...]:
    """All cases."""
    return tuple(map(_case, map(json.loads, _FILE.read_text("utf-8").splitlines())))


def _case(row: dict[str, Any]) -> Case:
    lines = tuple((line["speaker"], line["text"]) for line in row.pop("lines"))
    expected = tuple(Expected(**one) for one in row.pop("assertions", ()))
    return Case(lines=lines, assertions=expected, **row)
