"""Clinical subjects that a line mentions: terms, with a symptom's place in the body made part of its name.

"Chest pain" and "a pain in your chest" are one subject; "pain" without a place is another, wider one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.terms import TermCategory, TermMatch, TermMatcher

_NEEDS_PLACE = frozenset(
    "pain swelling numbness tingling weakness bleeding blood discharge rash cramps lump stiffness burning spots "
    "itching redness".split()
)
_INTO_PLACE = frozenset("in on of at around inside from under over down across to".split())
_PLACE_DETERMINERS = frozenset(
    "my your the his her their our left right lower upper top bottom middle both side".split()
)
_NARROWING_BEFORE = frozenset(
    "other another more similar particular specific severe serious worse such new funny abnormal extra high much "
    "massively very particularly especially overly completely terribly awfully that too so as usual normal actual "
    "anymore first second third last only recent previous different unusual significant major further proper".split()
)
_NARROWING_AFTER = frozenset("up on when with after during while whenever if before like".split())
_PLAIN_AFTER = frozenset({("with", "that"), ("with", "it"), ("with", "this"), ("before", "")})
_LONGEST_PLACE = 4
_ALLERGIC = frozenset("allergic allergy allergies intolerant reaction react reacted".split())
_ALLERGY_REACH = 5


@dataclass(frozen=True, slots=True)
class Mention:
    """A clinical subject in a line.

    Attributes:
        first: First word.
        last: Last word (inclusive).
        category: Of the term.
        subject: Its name: the canonical term, with its place before it.
        wide: A symptom that may be anywhere in the body ("pain"): it says little about "chest pain".
        narrowed: Only a special case is meant ("other allergies", "severe pain", "pain on swallowing"):
            what is true of it need not be true of the subject.
    """

    first: int
    last: int
    category: TermCategory
    subject: str = field(repr=False)
    wide: bool = False
    narrowed: bool = False


def mentions_in(words: Sequence[str], matcher: TermMatcher) -> tuple[Mention, ...]:
    """All subjects that the words mention, in order."""
    return mentions_among(words, matcher.match(words))


def mentions_among(words: Sequence[str], terms: Sequence[TermMatch]) -> tuple[Mention, ...]:
    """The same where the terms of the words are known."""
    found: list[Mention] = []
    used: set[int] = set()
    for position, term in enumerate(terms):
        if term.category == "anatomy" or position in used:
            continue
        place = _place_of(words, terms, position) if term.canonical in _NEEDS_PLACE else None
        first, last, name = term.first, term.last, term.canonical
        category: TermCategory = term.category
        if _allergic_to(words, first):
            category, name = "topic", f"{name} allergy"
        if place is not None:
            used.add(place)
            name = f"{terms[place].canonical} {name}"
            first, last = min(first, terms[place].first), max(last, terms[place].last)
        found.append(
            Mention(
                first,
                last,
                category,
                name,
                wide=term.canonical in _NEEDS_PLACE and place is None,
                narrowed=_narrowed(words, first, last, category),
            )
        )
    return tuple(found)


def places_among(terms: Sequence[TermMatch]) -> tuple[TermMatch, ...]:
    """The body parts among terms, in order."""
    return tuple(term for term in terms if term.category == "anatomy")


def _place_of(words: Sequence[str], terms: Sequence[TermMatch], position: int) -> int | None:
    """The term that says where the symptom at `position` is: just before it, or after a preposition."""
    term = terms[position]
    before = position - 1
    if before >= 0 and terms[before].category == "anatomy" and terms[before].last == term.first - 1:
        return before
    after = position + 1
    if after < len(terms) and terms[after].category == "anatomy":
        between = words[term.last + 1 : terms[after].first]
        if 0 < len(between) <= _LONGEST_PLACE and between[0] in _INTO_PLACE:
            rest = between[1:]
            return after if all(word in _PLACE_DETERMINERS | _INTO_PLACE for word in rest) else None
    return None


def _allergic_to(words: Sequence[str], at: int) -> bool:
    """Whether a term is what somebody is allergic to, and does not take: "allergic to penicillin or aspirin"."""
    near = words[max(at - _ALLERGY_REACH, 0) : at]
    return "to" in near and not _ALLERGIC.isdisjoint(near)


def _narrowed(words: Sequence[str], first: int, last: int, category: TermCategory) -> bool:
    before = words[first - 1] if first else ""
    after = words[last + 1] if last + 1 < len(words) else ""
    beyond = words[last + 2] if last + 2 < len(words) else ""
    return (
        (before in _NARROWING_BEFORE and tuple(words[max(first - 2, 0) : first]) != ("no", "more"))
        or (after in _NARROWING_AFTER and (after, beyond) not in _PLAIN_AFTER)
        or (after, beyond) == ("anywhere", "else")
        or (category == "topic" and after in {"to", "for"})
    )
