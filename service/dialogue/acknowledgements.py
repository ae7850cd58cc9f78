"""Words that only show that one listens: "okay", "mm hmm", "right, I see"."""

from collections.abc import Sequence

ACKNOWLEDGING = frozenset(
    "okay right yeah yes yep mm hmm mhm uh huh oh sure fine good great alright all i see no thanks thank you "
    "perfect excellent lovely brilliant that's very well sorry to hear that's ah so and but um".split()
)
_MOST_WORDS = 8


def is_acknowledgement(words: Sequence[str]) -> bool:
    """Whether nothing but acknowledgement was said; true of nothing at all."""
    return len(words) <= _MOST_WORDS and ACKNOWLEDGING.issuperset(words)
