"""The assertion ledger of a call: what has been established, and where a new line disagrees with it."""

from dataclasses import dataclass, field

from streams.messages import Related, Severity, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """One disagreement between a new line and an earlier one.

    Attributes:
        kind: Reason code, such as `negation_conflict`, `number_conflict`, `side_conflict`, `read_back_conflict`.
        subject: What it is about, in canonical words ("fever"); names one problem for the cooldown.
        span: The words of the new segment that disagree.
        earlier: The earlier segment and the words there.
        explanation: One plain sentence for the reviewer.
        premise: The earlier assertion as a plain sentence for the classifier.
        hypothesis: The new assertion as a plain sentence for the classifier.
        confirm: Whether the classifier must confirm it; False where the text alone proves it (two numbers).
        severity: How bad it is if it is a mishearing.
        strength: How sure the rules are, 0..1.
    """

    kind: str
    subject: str = field(repr=False)
    span: Span | None
    earlier: Related
    explanation: str = field(repr=False)
    premise: str = field(repr=False)
    hypothesis: str = field(repr=False)
    confirm: bool
    severity: Severity
    strength: float
