"""Medical terms in a line: what a matcher gives, and a matcher over a list of phrases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

TermCategory = Literal["symptom", "condition", "drug", "procedure", "lab", "anatomy", "habit", "topic"]


@dataclass(frozen=True, slots=True)
class TermMatch:
    """A term that was said: words `first` to `last` (inclusive), one canonical name for all its forms."""

    first: int
    last: int
    category: TermCategory
    canonical: str = field(repr=False)


class TermMatcher(Protocol):
    """Finds terms in words."""

    def match(self, words: Sequence[str]) -> Sequence[TermMatch]:
        """Terms in order, without overlap, the longest first where several begin at one word."""
        ...


class PhraseMatcher:
    """Matches a fixed list of phrases, in time that does not grow with the list.

    Args:
        phrases: Spoken form (words with single spaces) to category and canonical name.
    """

    def __init__(self, phrases: Mapping[str, tuple[TermCategory, str]]) -> None:
        by_first: dict[str, list[tuple[tuple[str, ...], TermCategory, str]]] = {}
        for phrase, (category, canonical) in phrases.items():
            words = tuple(phrase.split())
            by_first.setdefault(words[0], []).append((words, category, canonical))
        self._by_first = {
            first: tuple(sorted(known, key=lambda entry: -len(entry[0]))) for first, known in by_first.items()
        }

    def match(self, words: Sequence[str]) -> tuple[TermMatch, ...]:
        """Terms in order, without overlap."""
        found: list[TermMatch] = []
        at = 0
        while at < len(words):
            term = self._term_at(words, at)
            if term is not None:
                found.append(term)
                at = term.last
            at += 1
        return tuple(found)

    def _term_at(self, words: Sequence[str], at: int) -> TermMatch | None:
        for phrase, category, canonical in self._by_first.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                return TermMatch(at, at + len(phrase) - 1, category, canonical)
        return None


class FirstMatcher:
    """Several matchers as one: where their terms overlap, the earlier matcher's stands."""

    def __init__(self, matchers: Sequence[TermMatcher]) -> None:
        self._matchers = tuple(matchers)

    def match(self, words: Sequence[str]) -> tuple[TermMatch, ...]:
        """Terms in order, without overlap."""
        taken: set[int] = set()
        found: list[TermMatch] = []
        for matcher in self._matchers:
            for term in matcher.match(words):
                places = range(term.first, term.last + 1)
                if taken.isdisjoint(places):
                    taken.update(places)
                    found.append(term)
        return tuple(sorted(found, key=lambda term: term.first))
