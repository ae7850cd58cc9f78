"""Whether words can be the end of a turn, or need another word: "i feel like vomiting but i"."""

from collections.abc import Sequence
from typing import Final

_BEFORE_A_NOUN: Final = frozenset("a an the my your his her their our every".split())
_PREPOSITIONS: Final = frozenset(
    "of to for from with at by into than during without between towards onto per until".split()
)
_PARTICLES: Final = frozenset("in on over under through about since".split())
_LEAVE_OUT_A_VERB: Final = frozenset(
    "used have want need like able supposed going meant had wanted love try".split()
)
_CONJUNCTIONS: Final = frozenset(
    "and but or because if when while that which who as like so unless whether".split()
)
_SUBJECTS: Final = frozenset(
    "i he she we they it i'm i've i'd i'll it's he's she's we're they're there's".split()
)
_OBJECTS_TOO: Final = frozenset({"it"})
_VERBS_OF_OTHERS: Final = frozenset(
    "is was were am are be been can could would should will must might has have had".split()
)
_BEFORE_A_QUALITY: Final = frozenset("very really quite some any this more".split())

_ANSWERED: Final = frozenset("i it there he she we they that this you".split())

CANNOT_END: Final = 1.0
RARELY_ENDS: Final = 0.7
MAY_TRAIL_OFF: Final = 0.4


def breaks_off(words: Sequence[str]) -> float:
    """How far the words need another word to follow, 0 (complete) to 1 (no turn ends like this).

    Speakers do trail off ("so, yeah and um"), so a conjunction says less than an article.

    Args:
        words: Of a whole turn, hesitations and repeats left out.
    """
    if not words:
        return 0.0
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if last in _BEFORE_A_NOUN:
        return CANNOT_END
    if last in _OBJECTS_TOO and before not in _CONJUNCTIONS:
        return 0.0  # "that's it", "i can feel it"
    if last in _SUBJECTS:
        return RARELY_ENDS if before in _VERBS_OF_OTHERS else CANNOT_END  # "so do i" ends well
    if last in _VERBS_OF_OTHERS:
        return MAY_TRAIL_OFF if before in _ANSWERED else RARELY_ENDS
    if last in _PREPOSITIONS:
        return MAY_TRAIL_OFF if last == "to" and before in _LEAVE_OUT_A_VERB else RARELY_ENDS
    if last in _CONJUNCTIONS:
        return MAY_TRAIL_OFF if last in {"so", "like", "that"} else RARELY_ENDS
    return MAY_TRAIL_OFF if last in _PARTICLES or last in _BEFORE_A_QUALITY else 0.0
