"""How surprising each word of a line is: the language model's tokens, added up by word."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.interfaces import TokenScores
from service.dialogue.tokens import Token


def word_surprise(scores: TokenScores, words: Sequence[Token]) -> NDArray[np.float64]:
    """Negative log-likelihood of each word, float64 [words], nats.

    Args:
        scores: Of `scored_text(words)`; the line's end is left out.
        words: The scored words.
    """
    ends = np.cumsum([1 + len(word.text) for word in words])
    of_word = np.searchsorted(ends, scores.spans[:, 0], side="right")
    inside = of_word < len(words)
    total = np.zeros(len(words))
    np.add.at(total, of_word[inside], scores.nll[inside])
    return total
