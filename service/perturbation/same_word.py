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
    """Whether they are one word in other forms; the words of a phrase count as written together too."""
    parts = [*one.split(), *other.split()]
    if len(parts) == 2:
        return _alike(one, other)
    together = _alike(one.replace(" ", ""), other.replace(" ", ""))
    return together or any(_alike(a, b) for a in one.split() for b in other.split())


def _alike(one: str, other: str) -> bool:
    first, second = _stem(one), _stem(other)
    shorter, longer = sorted((first, second), key=len)
    if shorter == longer or (len(shorter) >= _SHORTEST_PREFIX and longer.startswith(shorter)):
        return True
    names = [match[0].canonical for word in (one, other) if (match := spoken_terms().match((word,)))]
    return len(names) == 2 and names[0] == names[1]


def _stem(word: str) -> str:
    for british, american in _SPELLINGS:
        word = word.replace(british, american)
    while len(shorter := _ENDINGS.sub("", word)) >= _SHORTEST_STEM and shorter != word:
        word = shorter
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word
