"""Risk models for an honest look: each call's risk comes from weights fitted without that call."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from service.calibration.calibrate import fit
from service.calibration.examples import Example
from service.calibration.measure import clean_example, labelled_example
from service.evaluation.labels import Labels
from service.evaluation.measured import Measured
from service.risk import RiskModel

_FORM: Final = "given"
"""The form of the words that `auscult calibrate` fits to."""

_UNDATED: Final = date.min
"""These weights are not kept, so their record needs no date."""


@dataclass(frozen=True, slots=True)
class Folds:
    """A risk model for each call.

    Attributes:
        by_call: For calls that weights were fitted without.
        otherwise: For every other call; None if there is no other.
    """

    by_call: Mapping[str, RiskModel]
    otherwise: RiskModel | None = None

    def model(self, call: str) -> RiskModel:
        """The model for a call's segments."""
        model = self.by_call.get(call, self.otherwise)
        if model is None:
            raise KeyError(call)
        return model


def same_for_all(model: RiskModel) -> Folds:
    """One risk model for every call."""
    return Folds({}, model)


def leave_one_call_out(labels: Labels, measured: Measured, without_features: Collection[str] = ()) -> Folds:
    """Fits a risk model for each call, as `auscult calibrate --leave-one-call-out` does.

    Args:
        labels: What is known.
        measured: What the monitor says of it.
        without_features: Features that the models may not use.

    Raises:
        TooFewExamples: without some call there is no harmful, or no harmless, example.
    """
    examples = [_without(example, without_features) for example in _examples(labels, measured)]
    calls = sorted({example.call_id for example in examples})
    return Folds({call: RiskModel(fit(examples, _UNDATED, without_call=call)) for call in calls})


def _examples(labels: Labels, measured: Measured) -> Iterator[Example]:
    injected = [item for pair in labels.injected for item in (pair.altered, pair.untouched)]
    for item in (*labels.impact, *injected):
        labelled, *_ = measured.stretches[_FORM][item.segments[-1].call_id]
        yield labelled_example(item, labelled.features)
    for call, segments in measured.calls[_FORM].items():
        yield from (clean_example(call, segment.features) for segment in segments)


def _without(example: Example, features: Collection[str]) -> Example:
    kept = {name: value for name, value in example.features.items() if name not in features}
    return replace(example, features=kept)
