"""What the risk model learns from: features of one assessed segment, and whether its meaning was lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ExampleKind = Literal["impact", "injected", "clean"]
"""Who says so: a clinician of a misheard segment, an error's injection (or its absence), a person's transcript."""


@dataclass(frozen=True, slots=True)
class Example:
    """One assessed segment with its label.

    Attributes:
        call_id: The recorded call it comes from: examples of one call are held out together.
        features: As the signals gave them.
        harmful: 1 if a clinician would misunderstand the patient significantly, 0 if not; between, how likely.
        kind: Where the label comes from.
    """

    call_id: str
    features: Mapping[str, float]
    harmful: float
    kind: ExampleKind
