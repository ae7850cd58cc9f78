"""The pronunciation of any word: from the dictionary, from its parts, or from its spelling."""

from collections.abc import Callable, Mapping

from models.lexicon.letter_sounds import sounds_of_letters

_SPELLED_ALIKE = (
    ("oea", "ea"),
    ("ae", "e"),
    ("oe", "e"),
    ("our", "or"),
    ("is", "iz"),
    ("ys", "yz"),
    ("lling", "ling"),
)
_ENDINGS = {
    "s": "z",
    "es": "z",
    "'s": "z",
    "ing": "iN",
    "y": "I",
    "ness": "nes",
    "ly": "lI",
    "er": "@r",
    "ers": "@rz",
    "ful": "f@l",
}
_SHORTEST_STEM = 3
_VOICELESS = frozenset("ptkfT")
_HISSING = frozenset("szSZ")


def pronounce(word: str, dictionary: Mapping[str, str]) -> str:
    """The sounds of a lower-case word. Empty for a word without letters."""
    for way in _WAYS:
        if found := way(word, dictionary):
            return found
    return sounds_of_letters(word)


def _listed(word: str, dictionary: Mapping[str, str]) -> str | None:
    return dictionary.get(word)


def _spelled_alike(word: str, dictionary: Mapping[str, str]) -> str | None:
    """British spellings, by the American word."""
    for british, american in _SPELLED_ALIKE:
        if british in word and (found := dictionary.get(word.replace(british, american))):
            return found
    return None


def _inflected(word: str, dictionary: Mapping[str, str]) -> str | None:
    for ending, said in _ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _SHORTEST_STEM:
            continue
        for base in (stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem):
            if found := dictionary.get(base):
                return found + (_plural(found) if said == "z" else said)
    return None


def _plural(stem: str) -> str:
    if stem[-1] in _HISSING:
        return "iz"
    return "s" if stem[-1] in _VOICELESS else "z"


def _compound(word: str, dictionary: Mapping[str, str]) -> str | None:
    """Two listed words in one, such as "breastbone"."""
    for at in range(_SHORTEST_STEM, len(word) - _SHORTEST_STEM + 1):
        first, second = dictionary.get(word[:at]), dictionary.get(word[at:])
        if first and second and at > _SHORTEST_STEM and len(word) - at > _SHORTEST_STEM:
            return first + second
    return None


_WAYS: tuple[Callable[[str, Mapping[str, str]], str | None], ...] = (
    _listed,
    _spelled_alike,
    _inflected,
    _compound,
)
