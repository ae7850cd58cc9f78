"""Is risk a probability? Altered segments count as harmful, every segment of a clean call as harmless."""

from typing import Any

import numpy as np

from service.evaluation.reliability import reliability
from service.evaluation.study import Study


def probability_figures(study: Study) -> dict[str, Any]:
    """Reliability of risk over altered and clean segments."""
    altered, clean = study.of_injected(study.risk).altered, study.clean_risk()
    return reliability(
        np.concatenate([altered, clean]), np.concatenate([np.ones(len(altered)), np.zeros(len(clean))])
    )
