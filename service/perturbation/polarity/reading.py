"""What the turning of a segment needs to know of its words: where they stand, and what the marks between them say."""

from dataclasses import dataclass, field
from itertools import pairwise

from service.dialogue.clauses import clauses
from service.dialogue.negation import NEGATORS, denied_words
from service.perturbation.base import Original
from service.perturbation.polarity.opposites import DENYING, POSITIVE_OF

Edits = dict[int, str]
"""A word's place and what it becomes; nothing where it is dropped."""

_MARKS = ",.;:?!"
_SENTENCE_ENDS = ".?!"


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a segment, where they stand, and what the marks between them say.

    Attributes:
        stops: Words with a mark after them.
        ends: Words that end a sentence by its mark, and the last word.
        denied: Words under a negation.
        clauses: First and last word of each clause.
    """

    words: tuple[str, ...] = field(repr=False)
    places: tuple[tuple[int, int], ...]
    stops: frozenset[int]
    ends: frozenset[int]
    denied: frozenset[int]
    clauses: tuple[tuple[int, int], ...]

    @property
    def negated(self) -> bool:
        """Whether anything in it is negative."""
        return any(word in NEGATORS or word in POSITIVE_OF or word in DENYING for word in self.words)


def read_polarity(original: Original) -> Reading:
    """The words of a segment as the rules of turning read them."""
    tokens, text = original.tokens, original.text
    words = tuple(token.text for token in tokens)
    between = [text[one.end : other.start] for one, other in pairwise(tokens)]
    return Reading(
        words,
        tuple((token.start, token.end) for token in tokens),
        frozenset(at for at, gap in enumerate(between) if any(mark in gap for mark in _MARKS)),
        frozenset(at for at, gap in enumerate(between) if any(mark in gap for mark in _SENTENCE_ENDS))
        | {len(words) - 1},
        denied_words(words),
        clauses(words),
    )


def clause_end(reading: Reading, at: int) -> int:
    """The last word of the clause that word `at` belongs to, or of its sentence if that ends before."""
    last = next(last for first, last in reading.clauses if first <= at <= last)
    return min(last, next(end for end in sorted(reading.ends) if end >= at))


def is_determiner(reading: Reading, at: int) -> bool:
    """Whether a "no" denies the noun after it rather than answering."""
    return at not in reading.stops and at + 1 in reading.denied
