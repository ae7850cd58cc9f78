"""Scores read as the clinicians' three classes, at the two cut points that are worth most on the other calls.

What a reading is worth is the published utility of predicting one class where another is true: to miss significant
impact costs most.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.evaluation.resampling import Calls, Vector, ratio

UTILITIES: Final = np.array([[1.2, 0.3, -1.0], [0.3, 1.5, 0.5], [-1.2, 0.4, 1.5]])
"""By true and predicted class; higher is better."""

_CLASSES: Final = 3

Classes = NDArray[np.intp]


def three_class_figures(scores: Vector, labels: Classes, names: list[str], calls: Calls) -> dict[str, Any]:
    """Mean utility and accuracy of the classes read from scores, and how often each was read as which.

    Args:
        scores: Higher is worse [items].
        labels: 0, 1 or 2 [items].
        names: Each item's call.
        calls: Those calls and their resamples.
    """
    places = calls.places(names)
    predicted = np.zeros(len(labels), dtype=np.intp)
    for call in range(len(calls.names)):
        here = places == call
        predicted[here] = np.searchsorted(
            cut_points(scores[~here], labels[~here]), scores[here], side="right"
        )
    ones = np.ones(len(labels))
    return {
        "utility": ratio(UTILITIES[labels, predicted], ones, places, calls.draws).figures(),
        "accuracy": ratio((labels == predicted).astype(np.float64), ones, places, calls.draws).figures(),
        "predicted_by_label": [
            [int(np.sum((labels == true) & (predicted == read))) for read in range(_CLASSES)]
            for true in range(_CLASSES)
        ],
    }


def utility_of_one_class(labels: Classes) -> float:
    """What it is worth to read everything as the same class: the best of the three."""
    return float(UTILITIES[labels].mean(axis=0).max())


def cut_points(scores: Vector, labels: Classes) -> Vector:
    """The scores from which an item is read as 1 and as 2 that are worth most [2]; infinite where none is."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    # What the first so many items are worth, all read as one class [items + 1, classes].
    worth = np.vstack([np.zeros(_CLASSES), np.cumsum(UTILITIES[labels[order]], axis=0)])
    between = np.flatnonzero(np.concatenate([[True], ranked[1:] > ranked[:-1], [True]]))
    gained_below = (worth[:, 0] - worth[:, 1])[between]
    best_below = np.maximum.accumulate(gained_below)
    upper = int(np.argmax(best_below + (worth[:, 1] - worth[:, 2])[between]))
    lower = int(np.argmax(gained_below[: upper + 1]))
    starts = np.append(ranked, np.inf)
    return starts[between[[lower, upper]]]
