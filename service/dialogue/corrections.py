"""Lines that change what was said on purpose: a correction, or news."""

import re
from collections.abc import Sequence

_CORRECTING = re.compile(
    r"\b(?:i mean|i meant|sorry (?:i|no|it|not|that)|no sorry|actually|no wait|wait|correction|my mistake|i was wrong|"
    r"not \w+ (?:it's|but)|let me rephrase|what i meant|to be precise|on second thoughts|come to think)\b"
)
_CHANGING = re.compile(
    r"\b(?:now|today|just started|suddenly|this morning|since|started|recently|developed|come back|came back|"
    r"again|getting|these days|lately|yesterday|tonight|at the moment|right now|currently)\b"
)


def corrects(words: Sequence[str]) -> bool:
    """Whether the speaker takes something back ("no, sorry, I meant the right")."""
    return _CORRECTING.search(" ".join(words)) is not None


def reports_change(words: Sequence[str]) -> bool:
    """Whether the speaker says that something is new or over, so that the earlier state may stand too."""
    return _CHANGING.search(" ".join(words)) is not None
