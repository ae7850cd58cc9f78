"""Word and character error rate: the baselines that see the reference. Needs jiwer."""

import jiwer

from service.calibration.labelled import Item
from service.evaluation.forms import bare_text


def word_error_rate(item: Item) -> float:
    """Words wrong, missing or surplus, to the reference's words; of bare text."""
    return _rate(item, words=True)


def character_error_rate(item: Item) -> float:
    """The same of characters."""
    return _rate(item, words=False)


def _rate(item: Item, *, words: bool) -> float:
    reference, hypothesis = bare_text(item.reference or ""), bare_text(item.segments[-1].text)
    if not reference:  # nothing was said: jiwer has no rate for that
        return float(bool(hypothesis))
    return float((jiwer.wer if words else jiwer.cer)(reference, hypothesis))
