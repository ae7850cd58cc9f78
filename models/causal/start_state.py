"""What the start token, which every sequence begins with, does to the tokens after it.

It is the same for every sequence, and the start token is where a decoder's few huge activations sit. So its keys
and values, and how likely each token is to follow it, are computed once, at build time, from unquantised weights.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.causal.reference import next_nll, trace
from models.causal.weights import LlamaWeights


@dataclass(frozen=True, slots=True)
class StartState:
    """The start token's part in every sequence.

    Attributes:
        keys_values: float16 [2 layers, kv_heads, head_width], keys before values.
        next_nll: float32 [vocabulary], nats: how improbable each token is right after it.
    """

    keys_values: NDArray[np.float16]
    next_nll: NDArray[np.float32]


def start_state(weights: LlamaWeights, token: int) -> StartState:
    """Runs `token` alone; rounded, so that the result is the same on every machine."""
    traced = trace(weights, np.array([token]))
    return StartState(
        keys_values=traced.keys_values[:, :, 0].astype(np.float16),
        next_nll=next_nll(weights, traced.residual)[0].round(4).astype(np.float32),
    )
