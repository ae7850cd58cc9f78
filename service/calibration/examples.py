"""What the risk model learns from: features of one assessed segment, and whether its meaning was lost."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """One assessed segment with its label.

    Attributes:
        call_id: The recorded call it comes from: examples of one call are held out together.
        features: As the signals gave them.
        harmful: 1 if a clinician would misunderstand the patient significantly, 0 if not; between, how likely.
        weight: How much it counts.
    """

    call_id: str
    features: Mapping[str, float]
    harmful: float
    weight: float
