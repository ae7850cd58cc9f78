"""Lines that change what was said on purpose: a correction, or news."""

import re
from collections.abc import Sequence

_CORRECTING = re.compile(
    r"\b(?:i mean|i meant|sorry (?:i|no|it|not|that)|no sorry|actually|no wait|wait|correction|my mistake|i was wrong|"
    r"not \w+ (?:it's|but)|let me rephrase|what i meant|to be precise|on second thoughts|come to think)\b"
)
_CHANGING = re.compile(
    r"\b(?:now|today|just started|suddenly|this morning|since|started|recently|developed|come back|came back|"
    r"again|getting|these days|lately|yesterday|tonight|at the moment|right now|right this (?:second|minute)|currently|"
    r"anymore|any more|no longer|gone|stopped)\b"
)
_PLANNING = re.compile(r"\b(?:i'll|i will|watch out|look out|keep an eye)\b")


def corrects(words: Sequence[str]) -> bool:
    """Whether the speaker takes something back ("no, sorry, I meant the right")."""
    return _CORRECTING.search(" ".join(words)) is not None


def reports_change(words: Sequence[str]) -> bool:
    """Whether the speaker tells news or plans, so that the earlier state may stand too."""
    text = " ".join(words)
    return _CHANGING.search(text) is not None or _PLANNING.search(text) is not None
