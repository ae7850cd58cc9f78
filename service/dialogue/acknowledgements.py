"""Words that only show that one listens ("okay", "right, I see") or is still thinking ("let me see")."""

from collections.abc import Sequence

ACKNOWLEDGING = frozenset(
    "okay right yeah yes yep mm hmm mhm uh huh oh sure fine good great alright all i see no thanks thank you "
    "perfect excellent lovely brilliant that's very well sorry to hear that's ah so and but um".split()
)
_STALLING = frozenset(
    "let me think see have a so well now okay oh good question that's hang on hold just sec second minute".split()
)
_MOST_WORDS = 8
_MOST_STALLING = 6


def is_acknowledgement(words: Sequence[str]) -> bool:
    """Whether nothing but acknowledgement was said; true of nothing at all."""
    return len(words) <= _MOST_WORDS and ACKNOWLEDGING.issuperset(words)


def only_stalls(words: Sequence[str]) -> bool:
    """Whether the speaker only plays for time before an answer: "let me think", "that's a good question"."""
    return len(words) <= _MOST_STALLING and _STALLING.issuperset(words)
