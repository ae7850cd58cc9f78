"""Whether two words are forms of one: an inflection, a derivation, another spelling, the parts of a compound."""

import re

from service.dialogue.spoken_terms import spoken_terms

_ENDINGS = re.compile(r"(?:'s|ness|ings?|ers?|eds?|ful|ly|ies|es|s|y|ed|e)$")
_SHORTEST_STEM = 3
_SHORTEST_PREFIX = 4
_SPELLINGS = (
    ("oea", "ea"),
    ("ae", "e"),
    ("oe", "e"),
    ("our", "or"),
    ("ph", "f"),
    ("yse", "yze"),
    ("is", "iz"),
)


def same_word(one: str, other: str) -> bool:
    """Whether they are one word in other forms, or phrases that share one, or that differ in spaces alone."""
    if _derived(one.replace(" ", ""), other.replace(" ", "")):
        return True
    return any(_inflected(word, another) for word in one.split() for another in other.split())


def _derived(one: str, other: str) -> bool:
    """Whether the longer word begins with the other's stem."""
    shorter, longer = sorted((_stem(one), _stem(other)), key=len)
    return shorter == longer or (len(shorter) >= _SHORTEST_PREFIX and longer.startswith(shorter))


def _inflected(one: str, other: str) -> bool:
    if _stem(one) == _stem(other):
        return True
    names = [match[0].canonical for word in (one, other) if (match := spoken_terms().match((word,)))]
    return len(names) == 2 and names[0] == names[1]


def _stem(word: str) -> str:
    for british, american in _SPELLINGS:
        word = word.replace(british, american)
    while len(shorter := _ENDINGS.sub("", word)) >= _SHORTEST_STEM and shorter != word:
        word = shorter
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word
