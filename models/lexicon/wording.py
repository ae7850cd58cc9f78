"""Which names of a vocabulary are said aloud in a consultation, and how."""

import re

_SAID = re.compile(r"[a-z]+(?:'[a-z]+)?(?: [a-z]+(?:'[a-z]+)?){0,3}")
_BRACKETED = re.compile(r"\s*[\[(][^\])]*[\])]")
_NOT_SAID = frozenset(
    "abnormal abnormality and classified codes congenital disorder disorders due elsewhere follow for history in "
    "morphology nonspecific nos not of other or other's primary secondary specified the to type unspecified with "
    "without".split()
)


def said_aloud(name: str, longest_words: int) -> str | None:
    """A vocabulary's name as people say it, or None for one that only a catalogue uses.

    Brackets are left out, hyphens become spaces; a name with catalogue words, digits or commas is not said.
    """
    plain = _BRACKETED.sub("", name).lower().replace("-", " ").replace("\u2019", "'").strip()
    if not _SAID.fullmatch(plain):
        return None
    words = plain.split()
    if len(words) > longest_words or not _NOT_SAID.isdisjoint(words):
        return None
    return plain
