"""What a case came to, judged against a quiet run."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson

from streams.broker import Record

TOLERANCE: Final = 1e-5
"""Within which risks are equal."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a quiet run gives: assessments and call summaries by id.

    Attributes:
        assessments: Risk, and the flags' ids, of each assessment.
        summaries: The number of segments of each summary.
    """

    assessments: Mapping[str, tuple[float, frozenset[str]]]
    summaries: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a case came to.

    Attributes:
        case: Its name.
        delivery: The setting.
        sent: Segments, each counted once.
        assessed: Of these, how many have an assessment.
        repeated: Records of expected assessments beyond one for each.
        twice: Assessments that a reader sees twice who keeps the last of each id.
        lost: Segments without an assessment, calls without a summary.
        different: Assessments and summaries that are not what a quiet run gives.
        recovery_seconds: From each fault until every partition has an assessment again.
        notes: What else was measured.
    """

    case: str
    delivery: str
    sent: int
    assessed: int
    repeated: int
    twice: int
    lost: int
    different: int
    recovery_seconds: tuple[float, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether nothing was lost, nothing differs, and nothing came twice that may not."""
        once = self.repeated == 0 or self.delivery == "at_least_once"
        return not (self.lost or self.different or self.twice) and once and not self.notes.get("failed")

    def with_notes(self, **notes: Any) -> "Outcome":
        """The same with more said."""
        return replace(self, notes={**self.notes, **notes})

    def with_different_excused(self, most: int, **notes: Any) -> "Outcome":
        """The same, where so many may differ by the nature of the case; they stay in the notes."""
        excused = min(self.different, most)
        return replace(
            self, different=self.different - excused, notes={**self.notes, "differing": excused, **notes}
        )

    def line(self) -> str:
        """One line for a person."""
        recovery = "-"
        if self.recovery_seconds:
            recovery = (
                f"{statistics.median(self.recovery_seconds):.1f} (most {max(self.recovery_seconds):.1f})"
            )
        notes = ", ".join(f"{name} {value}" for name, value in self.notes.items())
        return (
            f"{'ok  ' if self.passed else 'FAIL'} {self.case:<28} {self.delivery:<14} sent {self.sent:>6}"
            f"  assessed {self.assessed:>6}  repeated {self.repeated:>5}  lost {self.lost:>3}"
            f"  different {self.different:>3}  recovery s {recovery:<18} {notes}"
        )


def judge(
    case: str,
    delivery: str,
    expected: Expected,
    assessments: Sequence[Record],
    summaries: Sequence[Record],
    faults_at: Sequence[float] = (),
    **notes: Any,
) -> Outcome:
    """Compares what was written with what a quiet run gives.

    Args:
        case: Its name.
        delivery: The setting.
        expected: What a quiet run gives.
        assessments: All records of the topic, in order within each partition.
        summaries: Likewise.
        faults_at: When something was broken, seconds since 1970.
        notes: What else was measured.
    """
    last, ended = _last_of_each_id(assessments), _last_of_each_id(summaries)
    records = sum(orjson.loads(record.value)["id"] in expected.assessments for record in assessments)
    named = Counter((fields["call_id"], fields["sequence"]) for fields in last.values())
    different = sum(
        id_ in last and not _same(last[id_], risk, flags)
        for id_, (risk, flags) in expected.assessments.items()
    )
    different += sum(
        id_ in ended and ended[id_]["segments"] != count for id_, count in expected.summaries.items()
    )
    missing = [*(expected.assessments.keys() - last.keys()), *(expected.summaries.keys() - ended.keys())]
    return Outcome(
        case=case,
        delivery=delivery,
        sent=len(expected.assessments),
        assessed=(assessed := len(expected.assessments.keys() & last.keys())),
        repeated=records - assessed,
        twice=sum(count - 1 for count in named.values()),
        lost=len(missing),
        different=different,
        recovery_seconds=tuple(_recoveries(assessments, faults_at)),
        notes=notes,
    )


def _last_of_each_id(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    return {(fields := orjson.loads(record.value))["id"]: fields for record in records}


def _same(fields: Mapping[str, Any], risk: float, flags: frozenset[str]) -> bool:
    found = frozenset(flag["id"] for flag in fields["flags"])
    return abs(fields["risk"] - risk) <= TOLERANCE and found == flags


def _recoveries(assessments: Sequence[Record], faults_at: Sequence[float]) -> list[float]:
    """For each fault how long it took until every partition had an assessment again, of those that have a later one."""
    times: dict[int, list[float]] = {}
    for record in assessments:
        times.setdefault(record.partition, []).append(record.timestamp / 1000)
    recoveries = []
    for fault in faults_at:
        first = [min(after) for each in times.values() if (after := [time for time in each if time > fault])]
        if first:
            recoveries.append(round(max(first) - fault, 3))
    return recoveries
