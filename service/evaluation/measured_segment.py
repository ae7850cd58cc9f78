"""What the monitor says of a segment whatever the risk model's weights: numbers, codes and places, no text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.signals.base import FlagType, Proposal
from streams.messages import Assessment, Evidence, Severity, SignalReading, Span


@dataclass(frozen=True, slots=True)
class MeasuredProposal:
    """A flag that a signal would raise, without its words.

    Attributes:
        type: What kind of problem.
        severity: How urgent.
        span: The words concerned, if any in particular.
        subject: Stands for what it is about: equal if and only if that is, within a call.
        strength: How sure the signal is, 0..1.
    """

    type: FlagType
    severity: Severity
    span: Span | None
    subject: int
    strength: float

    def proposal(self) -> Proposal:
        """As the flag policy takes it."""
        return Proposal(
            type=self.type,
            severity=self.severity,
            span=self.span,
            reason="",
            explanation="",
            subject=f"subject {self.subject}",
            strength=self.strength,
        )


@dataclass(frozen=True, slots=True)
class MeasuredReading:
    """A signal's raw value, its score (1 is healthy), and where it was seen."""

    value: float
    score: float
    evidence: tuple[tuple[Span | None, float | None], ...] = ()

    def reading(self) -> SignalReading:
        """As the monitor has it."""
        evidence = tuple(Evidence(span, "", value) for span, value in self.evidence)
        return SignalReading(self.value, self.score, evidence)


@dataclass(frozen=True, slots=True)
class MeasuredSegment:
    """What was measured of a segment.

    Attributes:
        sequence: The segment's, within its call.
        features: What risk is computed from.
        readings: By signal name; a signal that could not be measured is not there.
        proposals: Flags that the signals would raise, in the order of the signals.
    """

    sequence: int
    features: Mapping[str, float]
    readings: Mapping[str, MeasuredReading]
    proposals: tuple[MeasuredProposal, ...] = ()


def measured_segments(
    assessments: Sequence[Assessment], proposals: Sequence[Sequence[Proposal]]
) -> tuple[MeasuredSegment, ...]:
    """Segments of one call.

    Args:
        assessments: The monitor's.
        proposals: What its signals proposed for each.
    """
    subjects: dict[str, int] = {}
    return tuple(
        MeasuredSegment(
            sequence=assessment.segment.sequence,
            features=assessment.features,
            readings={
                name: _measured(reading.value, reading.score, reading.evidence)
                for name, reading in assessment.signals.items()
                if reading.value is not None and reading.score is not None
            },
            proposals=tuple(
                MeasuredProposal(
                    proposal.type,
                    proposal.severity,
                    proposal.span,
                    subjects.setdefault(proposal.subject, len(subjects)),
                    proposal.strength,
                )
                for proposal in proposed
            ),
        )
        for assessment, proposed in zip(assessments, proposals, strict=True)
    )


def _measured(value: float, score: float, evidence: Sequence[Evidence]) -> MeasuredReading:
    return MeasuredReading(value, score, tuple((one.span, one.value) for one in evidence))
