"""The built lexicon at work: finds medical terms among words, and says how any word sounds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from models.errors import ModelUnavailable
from models.lexicon.categories import CATEGORIES, Category
from models.lexicon.pronunciation import pronounce

FORMAT = 1
LEXICON_FILE = "lexicon.json"
_REMEMBERED_WORDS = 50_000


@dataclass(frozen=True, slots=True)
class Mention:
    """A term among words: words `first` to `last`, inclusive."""

    first: int
    last: int
    category: Category
    term: str = field(repr=False)


class Lexicon:
    """Medical terms, how words sound, how common they are. Read-only; may be shared by threads.

    Attributes:
        date: Of the newest source.
        sources: Name, version, release date and licence of each source.
        suggested: Terms that are common in primary care and mean nothing else: what may be suggested in
            place of other words.
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        """Takes the content of a built file, as `build_lexicon` writes it."""
        self.date: str = content["date"]
        self.sources: tuple[Mapping[str, str], ...] = tuple(content["sources"])
        self.suggested: tuple[str, ...] = tuple(content["suggested"])
        self._suggested = frozenset(self.suggested)
        self._terms: Mapping[str, Category] = content["terms"]
        self._sounds: Mapping[str, str] = content["sounds"]
        self._commonness: Mapping[str, int] = content["commonness"]
        self._longest = _longest_by_first_word(self._terms)
        self._confusable = _both_ways(content["confusable"])
        self._pronounce = lru_cache(_REMEMBERED_WORDS)(lambda word: pronounce(word, self._sounds))

    def __len__(self) -> int:
        """How many terms it knows."""
        return len(self._terms)

    def category(self, term: str) -> Category | None:
        """The category of a term in canonical words, or None for what is no term."""
        return self._terms.get(term)

    def is_suggested(self, term: str) -> bool:
        """Whether the term is one of `suggested`."""
        return term in self._suggested

    def mentions(self, words: Sequence[str]) -> list[Mention]:
        """The terms among words, from left to right, the longest at each place, not overlapping.

        Takes time by the number of words, whatever the size of the lexicon.
        """
        found: list[Mention] = []
        at = 0
        while at < len(words):
            mention = self._mention_at(words, at)
            if mention is not None:
                found.append(mention)
            at = at + 1 if mention is None else mention.last + 1
        return found

    def _mention_at(self, words: Sequence[str], at: int) -> Mention | None:
        for count in range(min(self._longest.get(words[at], 0), len(words) - at), 0, -1):
            term = " ".join(words[at : at + count])
            category = self._terms.get(term)
            if category is not None:
                return Mention(at, at + count - 1, category, term)
        return None

    def confusable(self, term: str) -> tuple[str, ...]:
        """Valid terms that this valid term is mistaken for: sound-alike drugs, opposites."""
        return self._confusable.get(term, ())

    def sounds(self, words: Sequence[str]) -> str:
        """How the words sound together, one letter a phoneme (`phonemes.py`), without word boundaries."""
        return "".join(map(self._pronounce, words))

    def commonness(self, word: str) -> float | None:
        """Ten times the common logarithm of how often English uses the word; None for what is no English word."""
        return self._commonness.get(word)

    def common_words(self, commonness: float) -> tuple[str, ...]:
        """The English words of known pronunciation that are at least so common, in alphabetical order."""
        return tuple(
            sorted(
                word
                for word, found in self._commonness.items()
                if found >= commonness and word in self._sounds
            )
        )

    @property
    def english_words(self) -> Mapping[str, int]:
        """`commonness` of every English word."""
        return self._commonness

    def is_word(self, word: str) -> bool:
        """Whether the word is listed anywhere: English, or with a known pronunciation."""
        return word in self._commonness or word in self._sounds


def load_lexicon(folder: Path) -> Lexicon:
    """Reads a built lexicon.

    Raises:
        ModelUnavailable: the file is missing or not of this format.
    """
    path = folder / LEXICON_FILE
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        raise ModelUnavailable(
            f"The lexicon {path} cannot be read: {error.strerror}. Run `auscult models build`."
        ) from None
    except orjson.JSONDecodeError:
        raise ModelUnavailable(f"The lexicon {path} is damaged. Run `auscult models build`.") from None
    if content.get("format") != FORMAT or not set(content["terms"].values()) <= set(CATEGORIES):
        raise ModelUnavailable(f"The lexicon {path} is of another version. Run `auscult models build`.")
    return Lexicon(content)


def _longest_by_first_word(terms: Mapping[str, Category]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for term in terms:
        words = term.split()
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


def _both_ways(pairs: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for first, second in pairs:
        found[first].append(second)
        found[second].append(first)
    return {term: tuple(others) for term, others in found.items()}
