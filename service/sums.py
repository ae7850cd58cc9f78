"""What segments of a call come to together, and what is remembered of each so that a revision can replace it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from struct import Struct
from typing import NamedTuple

from typing_extensions import TypedDict

from service.flagging import SEVERITIES
from service.monitor_settings import MOST_WORST_SEGMENTS
from streams.encoding import DIGITS
from streams.messages import Assessment, Severity

_ROW = Struct("<ffBBBB")
"""Risk, quality (NaN: none) and the number of flags of each severity, as they are remembered: as exact as published."""

ROW_BYTES = _ROW.size

_MOST_FLAGS = 255


class SumsForm(TypedDict):
    """Sums of segments in a call's state."""

    segments: int
    quality: float
    with_quality: int
    severities: dict[Severity, int]
    worst: list[tuple[int, float]]


class Tallied(NamedTuple):
    """What is remembered of one assessment; `severities` counts its flags in the order of `SEVERITIES`."""

    risk: float
    quality: float
    severities: tuple[int, ...]

    @classmethod
    def of_row(cls, row: bytes) -> "Tallied":
        """What `tallied_row` made a row of."""
        risk, quality, *severities = _ROW.unpack(row)
        return cls(round(risk, DIGITS), round(quality, DIGITS), tuple(severities))

    def flags(self) -> Counter[Severity]:
        """How many flags of each severity there are."""
        return Counter(dict(zip(SEVERITIES, self.severities, strict=True)))


def tallied_row(assessment: Assessment) -> bytes:
    """What is remembered of an assessment, as `ROW_BYTES` bytes."""
    flagged = [flag.severity for flag in assessment.flags]
    severities = (min(flagged.count(severity), _MOST_FLAGS) for severity in SEVERITIES)
    quality = nan if assessment.quality is None else assessment.quality
    return _ROW.pack(assessment.risk, quality, *severities)


@dataclass(slots=True)
class Sums:
    """What segments come to together. Bounded, however many they are.

    Attributes:
        worst: Sequence and risk of those with the highest risk, highest first.
    """

    segments: int = 0
    quality: float = 0.0
    with_quality: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    worst: list[tuple[int, float]] = field(default_factory=list)

    def form(self) -> SumsForm:
        """The sums as plain data."""
        return {
            "segments": self.segments,
            "quality": self.quality,
            "with_quality": self.with_quality,
            "severities": dict(self.severities),
            "worst": list(self.worst),
        }

    @classmethod
    def of_form(cls, form: SumsForm) -> "Sums":
        """The sums that wrote a form."""
        return cls(
            form["segments"],
            form["quality"],
            form["with_quality"],
            Counter(form["severities"]),
            form["worst"],
        )

    def plus(self, tallied: Mapping[int, Tallied]) -> "Sums":
        """These and further segments."""
        qualities = [one.quality for one in tallied.values() if not isnan(one.quality)]
        worst = [*self.worst, *((sequence, one.risk) for sequence, one in tallied.items())]
        worst.sort(key=lambda entry: -entry[1])
        return Sums(
            self.segments + len(tallied),
            sum(qualities, self.quality),
            self.with_quality + len(qualities),
            self.severities + _flags_of(tallied.values()),
            worst[:MOST_WORST_SEGMENTS],
        )


def _flags_of(tallied: Iterable[Tallied]) -> Counter[Severity]:
    totals = (sum(column) for column in zip(*(one.severities for one in tallied), strict=True))
    return Counter(dict(zip(SEVERITIES, totals, strict=False)))
