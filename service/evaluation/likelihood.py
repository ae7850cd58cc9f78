"""The likelihood baselines: mean token NLL alone and in context, and the mean of the three highest in context.

They count the end of the line among the tokens, so that an answer of which nothing was recognised has a likelihood
too. They ask the language model what the perplexity signal asks, so they cost nothing beside it.
"""

from typing import Final

import numpy as np

from models.interfaces import ScoreRequest
from service.dialogue.lines import context_of, scored_text
from service.moment import Moment
from service.signals.base import Finding, Measuring, ask_scores

ALONE: Final = "nll_alone"
IN_CONTEXT: Final = "nll_in_context"
PEAKS_IN_CONTEXT: Final = "peak_nll_in_context"

_PEAKS: Final = 3


class Likelihood:
    """A signal without readings and flags: its features are baselines, which no risk model knows."""

    name = "likelihood"
    readings: tuple[str, ...] = ()

    def measure(self, moment: Moment) -> Measuring:
        """Features in nats a token; none where the model has no token for the end of a line and nothing was said."""
        text = scored_text(moment.line.spoken)
        context = context_of(moment.context, moment.line.speaker)
        alone, dialogue = yield from ask_scores(
            (ScoreRequest("", text, extends=False), ScoreRequest(context, text, moment.stream))
        )
        if not alone.nll.size or not dialogue.nll.size:
            return Finding({})
        return Finding(
            readings={},
            features={
                ALONE: float(alone.nll.mean()),
                IN_CONTEXT: float(dialogue.nll.mean()),
                PEAKS_IN_CONTEXT: float(np.sort(dialogue.nll)[-_PEAKS:].mean()),
            },
        )
