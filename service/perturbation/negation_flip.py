"""`negation_flip`: a yes or a negation turns into its opposite. "No, I don't." becomes "Yes, I do."."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from service.dialogue.clauses import clauses
from service.dialogue.negation import NEGATORS, denied_words
from service.dialogue.terms import TermMatcher
from service.perturbation.base import Original
from service.perturbation.editing import Change, changed
from service.perturbation.polarity import (
    AFFIRMING,
    BEFORE_NOT_IDIOMS,
    DENYING,
    DO_IDIOMS,
    NEGATIVE_OF,
    NO_IDIOMS,
    NOT_IDIOMS,
    OPPOSITES,
    PARTICIPLES,
    POSITIVE_OF,
    WITH_DO,
)

Edit = tuple[int, str]
"""A word's place and what it becomes; nothing where it is dropped."""

_MARKS = ",.;:?!"
_SENTENCE_ENDS = ".?!"
_TAG_REACH = 3
_STAMMER_REACH = 4
_SUBJECTS = frozenset("i you we they he she it that there".split())
_WITH_HAVE = {"i've": "i", "you've": "you", "we've": "we", "they've": "they"}
_WITH_BE = {"it's": "it", "there's": "there", "that's": "that", "he's": "he", "she's": "she"}
_STILL = frozenset({"anymore"})
_SOME = {"anything": "something", "anyone": "someone", "anybody": "somebody", "anywhere": "somewhere"}
_NOT_DENIED = frozenset({"just", "like", "gonna"})
_PHRASE_WORDS = 6


class NegationFlip:
    """Flips an answer together with its tag ("no, I haven't"), a negation, or a plain statement about a term.

    Args:
        terms: Finds medical terms.
    """

    name = "negation_flip"

    def __init__(self, terms: TermMatcher) -> None:
        self._terms = terms

    def alter(self, original: Original, rng: Random) -> str | None:
        """The text with one answer or statement turned round."""
        reading = _read(original)
        flips = [
            flip for flip in (_answer(reading, original.answers, rng), *_negations(reading, rng)) if flip
        ]
        if not reading.negated:
            flips += self._affirmations(reading, original)
        if not flips:
            return None
        edits = rng.choice(flips)
        altered = changed(original.text, [Change(*reading.places[at], word) for at, word in edits.items()])
        return altered if altered and altered != original.text else None

    def _affirmations(self, reading: "_Reading", original: Original) -> list[dict[int, str]]:
        """Statements that name a symptom, condition or drug, denied."""
        spans = [original.said.span(term.first, term.last) for term in self._terms.match(original.said.words)]
        return [
            edits
            for at in range(len(reading.words))
            if (edits := _denied(reading, at))
            and not _asked(reading.places[at], original)
            and any(
                reading.places[at][0] <= start <= reading.places[_clause_end(reading, at)][1]
                for start, _ in spans
            )
        ]


@dataclass(frozen=True, slots=True)
class _Reading:
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


def _read(original: Original) -> _Reading:
    tokens, text = original.tokens, original.text
    words = tuple(token.text for token in tokens)
    between = [text[one.end : other.start] for one, other in pairwise(tokens)]
    return _Reading(
        words,
        tuple((token.start, token.end) for token in tokens),
        frozenset(at for at, gap in enumerate(between) if any(mark in gap for mark in _MARKS)),
        frozenset(at for at, gap in enumerate(between) if any(mark in gap for mark in _SENTENCE_ENDS))
        | {len(words) - 1},
        denied_words(words),
        clauses(words),
    )


def _asked(place: tuple[int, int], original: Original) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in original.asks)


def _clause_end(reading: _Reading, at: int) -> int:
    """The last word of the clause that word `at` belongs to, or of its sentence if that ends before."""
    last = next(last for first, last in reading.clauses if first <= at <= last)
    return min(last, next(end for end in sorted(reading.ends) if end >= at))


def _is_determiner(reading: _Reading, at: int) -> bool:
    """Whether a "no" denies the noun after it rather than answering."""
    return at not in reading.stops and at + 1 in reading.denied


def _answer(reading: _Reading, answers: bool, rng: Random) -> dict[int, str] | None:
    """The answer that the words begin with, its repeats, and the tag after it, turned round."""
    if not answers or not reading.words:
        return None
    if reading.words[0] == "not":
        phrase = _negative_tag(reading, 0, rng)
        return phrase and phrase | {0: rng.choice(("yes", "yeah"))}
    if reading.words[0] not in AFFIRMING | DENYING:
        return None
    kind = AFFIRMING if reading.words[0] in AFFIRMING else DENYING
    opposite = "no" if kind is AFFIRMING else rng.choice(("yes", "yeah"))
    edits: dict[int, str] = {}
    at = 0
    while at < len(reading.words) and reading.words[at] in kind:
        if _is_determiner(reading, at):
            break
        if at not in reading.stops and reading.words[at + 1 : at + 2] and reading.words[at + 1] in NO_IDIOMS:
            return None
        edits[at] = opposite
        at += 1
    if not edits:
        return None
    tag = _negative_tag(reading, at, rng) if kind is DENYING else _positive_tag(reading, at)
    return None if tag is None else edits | tag


def _negative_tag(reading: _Reading, at: int, rng: Random) -> dict[int, str] | None:
    """What makes the words after a "no" agree with the "yes" that it becomes; None where nothing can."""
    words = reading.words
    if words[at : at + 1] == ("not",):
        end = next(end for end in sorted(reading.ends) if end >= at)
        return dict.fromkeys(range(at, end + 1), "") if end - at < _PHRASE_WORDS else None
    near = range(at, min(at + _TAG_REACH, len(words)))
    negation = next(
        (place for place in near if words[place] in NEGATORS or words[place] in POSITIVE_OF), None
    )
    if negation is None:
        return {}
    return _affirmed(reading, negation, rng) or {}


def _positive_tag(reading: _Reading, at: int) -> dict[int, str]:
    """The same after a "yes"."""
    return {} if at >= len(reading.words) else _denied(reading, at) or _denied(reading, at + 1) or {}


def _denies_alone(reading: _Reading, at: int) -> bool:
    """Whether nothing else in the sentence denies: "no issues, nothing unusual" says one thing twice."""
    first = max((end + 1 for end in reading.ends if end < at), default=0)
    last = min(end for end in reading.ends if end >= at)
    return all(
        place == at or reading.words[place] not in NEGATORS or not _is_determiner(reading, place)
        for place in range(first, last + 1)
    )


def _negations(reading: _Reading, rng: Random) -> Iterator[dict[int, str]]:
    """Each negation, taken away."""
    for at in range(len(reading.words)):
        edits = _affirmed(reading, at, rng)
        if edits:
            yield edits


def _affirmed(reading: _Reading, at: int, rng: Random) -> dict[int, str] | None:
    """The edits that take the negation at `at` away, with the words that only a negation allows."""
    word = reading.words[at]
    after = reading.words[at + 1] if at + 1 < len(reading.words) and at not in reading.ends else ""
    if word in POSITIVE_OF:
        new = _positive(word, after, rng)
    elif word == "not":
        new = _without_not(reading, at, after)
    elif word == "no":
        new = "" if _is_determiner(reading, at) and after not in NO_IDIOMS else None
    elif word == "never":
        new = "" if after else None
    else:
        new = OPPOSITES.get(word) if _denies_alone(reading, at) else None
    if new is None:
        return None
    edits = {at: new} | _freed(reading, at) | dict.fromkeys(_stammered(reading, at), new)
    return edits | dict.fromkeys(_answers_before(reading, at), "yes")


def _positive(word: str, after: str, rng: Random) -> str | None:
    if after in DO_IDIOMS and POSITIVE_OF[word] == "do":
        return None
    if POSITIVE_OF[word] == "do" and after in WITH_DO and rng.random() < 0.5:
        return ""
    return POSITIVE_OF[word]


def _without_not(reading: _Reading, at: int, after: str) -> str | None:
    before = reading.words[at - 1] if at else ""
    if not after or at in reading.stops or at == 0:
        return None
    if after in NOT_IDIOMS or after == "not" or before in BEFORE_NOT_IDIOMS:
        return None
    return "still" if after in _STILL or reading.words[at + 1 : at + 3] == ("any", "more") else ""


def _stammered(reading: _Reading, at: int) -> Iterator[int]:
    """Repeats of the same words close by: "I don't, I don't think"."""
    words = reading.words
    near = range(max(at - _STAMMER_REACH, 1), min(at + _STAMMER_REACH + 1, len(words)))
    for again in near if at and words[at] not in DENYING else ():
        if again == at or words[again] != words[at]:
            continue
        if abs(again - at) == 1 or words[again - 1] == words[at - 1]:
            yield again


def _answers_before(reading: _Reading, at: int) -> Iterator[int]:
    """The "no" that a negation at `at` says again: "no, I don't", "no, no fever"."""
    words = reading.words
    before = at - 1
    while (
        before >= 0 and at - before < _TAG_REACH and words[at] not in DENYING and words[before] in _SUBJECTS
    ):
        before -= 1
    while before >= 0 and words[before] in DENYING and not _is_determiner(reading, before):
        yield before
        before -= 1


def _freed(reading: _Reading, at: int) -> dict[int, str]:
    """What becomes of "any" and its like where the negation before them is gone."""
    words, edits = reading.words, dict[int, str]()
    for place in range(at + 1, _clause_end(reading, at) + 1):
        word, after = words[place], words[place + 1] if place + 1 < len(words) else ""
        if word == "any":
            if after == "more":
                edits |= {place: "", place + 1: "" if words[at] == "not" else "still"}
            else:
                edits[place] = "some" if place in reading.ends or after in {"of", "in", "at"} else ""
        elif word in _STILL:
            edits[place] = "" if words[at] == "not" and place == at + 1 else "still"
        elif word in _SOME:
            edits[place] = _SOME[word]
        elif word == "ever":
            edits[place] = ""
        elif word == "either" and place in reading.ends:
            edits[place] = "too"
        elif word == "at" and after == "all":
            edits |= {place: "", place + 1: ""}
    return edits


def _denied(reading: _Reading, at: int) -> dict[int, str] | None:
    """The edits that deny the statement that begins at `at`."""
    words = reading.words
    word = words[at] if at < len(words) else ""
    if at in reading.stops or at + 1 >= len(words):
        return None
    after = words[at + 1]
    beyond = words[at + 2] if at + 2 < len(words) and at + 1 not in reading.stops else ""
    if word in _WITH_HAVE:
        return {at: f"{_WITH_HAVE[word]} haven't"} if after in PARTICIPLES else None
    if word == "i'm":
        return {at: "i'm not"} if after not in _NOT_DENIED else None
    if word in _WITH_BE:
        return None if after in PARTICIPLES else {at: f"{_WITH_BE[word]} isn't"}
    if word not in _SUBJECTS:
        return None
    return _denied_verb(word, at + 1, after, beyond)


def _denied_verb(subject: str, at: int, verb: str, beyond: str) -> dict[int, str] | None:
    if verb == "am":
        return {at: "am not"}
    if beyond in PARTICIPLES and verb in {"have", "has", "had"}:
        return {at: NEGATIVE_OF[verb]}
    if verb in {"have", "has"} and beyond:
        return {at: "don't have" if verb == "have" else "doesn't have"}
    if verb == "had" and beyond:
        return {at: "didn't have"}
    if verb in WITH_DO and subject in {"i", "you", "we", "they"}:
        return {at: f"don't {verb}"} if beyond or verb != "have" else {at: "haven't"}
    return {at: NEGATIVE_OF[verb]} if verb in NEGATIVE_OF else None
