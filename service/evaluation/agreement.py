"""Do risk and flags agree on formatted and on bare text of the same words?"""

from collections import Counter
from typing import Any

import numpy as np

from service.evaluation.forms import Form
from service.evaluation.resampling import Vector
from service.evaluation.study import Study


def agreement_figures(study: Study) -> dict[str, Any]:
    """Correlation of risk over the segments of clean calls, and the share of flags raised on both forms.

    A flag is the same if segment and type are.
    """
    given, bare = study.clean_risk("given"), study.clean_risk("bare")
    flags = _flags(study, "given"), _flags(study, "bare")
    either = (flags[0] | flags[1]).total()
    return {
        "segments": len(given),
        "risk_correlation": _correlation(given, bare),
        "risk_rank_correlation": _correlation(_ranks(given), _ranks(bare)),
        "flags_given": flags[0].total(),
        "flags_bare": flags[1].total(),
        "flags_in_common": (flags[0] & flags[1]).total() / either if either else 1.0,
    }


def _flags(study: Study, form: Form) -> Counter[tuple[str, int, str]]:
    return Counter(
        (call, flag.sequence, flag.type)
        for call in study.labels.calls
        for flags in study.flags_of_call(call, form)
        for flag in flags
    )


def _correlation(one: Vector, other: Vector) -> float:
    """Pearson's; 1 if neither varies."""
    one, other = one - one.mean(), other - other.mean()
    spread = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / spread if spread else 1.0


def _ranks(values: Vector) -> Vector:
    """Ranks with ties at their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: Vector = (ends - (counts - 1) / 2.0)[inverse]
    return means
