"""Risk: the probability that a clinician reading the segment would misunderstand the patient significantly.

A logistic model over the signals' features. Its weights are a readable JSON file, written by
`auscult calibrate`; a feature that a segment does not have counts as its average.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.errors import AuscultError

SHIPPED_WEIGHTS = files("service") / "risk_weights.json"


class RiskModelInvalid(AuscultError):
    """A file of risk weights cannot be used; the message says which and why."""


class FeatureWeight(BaseModel):
    """One feature's part: `weight * (clipped value - center) / scale`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weight: float
    center: float
    scale: float = Field(gt=0)
    low: float
    high: float


class RiskWeights(BaseModel):
    """A file of risk weights: what they are, what they were fitted on, and where the alert budget draws the line.

    Attributes:
        alert_risk: Risk from which a segment is an alert though no signal can say what is wrong.
        review_risk: Risk of a call from which a person should look.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    intercept: float
    features: dict[str, FeatureWeight]
    fitted_on: dict[str, str | int | float]
    alert_risk: float = Field(0.5, ge=0, le=1)
    review_risk: float = Field(0.5, ge=0, le=1)


@dataclass(frozen=True, slots=True)
class RiskModel:
    """A logistic model over named features."""

    weights: RiskWeights

    def risk(self, features: Mapping[str, float]) -> float:
        """Probability 0..1. Features that the model does not know are ignored."""
        logit = self.weights.intercept
        for name, part in self.weights.features.items():
            value = features.get(name)
            if value is not None:
                logit += part.weight * (min(max(value, part.low), part.high) - part.center) / part.scale
        return 1.0 / (1.0 + math.exp(-logit))


def load_risk_model(path: Path | None) -> RiskModel:
    """Reads weights from a file, or those shipped with the package.

    Raises:
        RiskModelInvalid: the file is missing or not a file of risk weights.
    """
    try:
        content = SHIPPED_WEIGHTS.read_bytes() if path is None else path.read_bytes()
        return RiskModel(RiskWeights.model_validate(orjson.loads(content)))
    except OSError as error:
        raise RiskModelInvalid(f"{path}: {error.strerror}. `auscult calibrate` writes such a file.") from None
    except (orjson.JSONDecodeError, ValidationError) as error:
        problem = (
            "not JSON" if isinstance(error, orjson.JSONDecodeError) else f"{error.error_count()} wrong fields"
        )
        raise RiskModelInvalid(f"{path}: {problem}. `auscult calibrate` writes such a file.") from None
