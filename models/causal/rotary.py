"""The angles of the rotary position embedding (Su et al., 2021)."""

import numpy as np
from numpy.typing import NDArray

from models.causal.weights import LlamaConfig


def rotary_angles(config: LlamaConfig, positions: int) -> NDArray[np.float64]:
    """Radians by which each pair of channels turns at positions 0, 1, ...: [positions, head_width / 2]."""
    exponents = np.arange(0, config.head_width, 2, dtype=np.float64) / config.head_width
    return np.outer(np.arange(positions), config.rope_base**-exponents)
