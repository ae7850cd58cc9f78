"""The simple form of entity validity: how many of a line's medical entities are known ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.lexicon import Lexicon, Mention

_SHORTEST_LETTERS = 6
_LOOKS_MEDICAL = re.compile(
    r".*(?:cillin|mycin|micin|floxacin|cycline|azole|olol|pril|sartan|statin|dipine|triptan|setron|gliptin|"
    r"gliflozin|glutide|oxetine|azepam|zolam|barbital|caine|profen|xaban|parin|thiazide|semide|lukast|terol|"
    r"solone|metasone|cortisone|tidine|mab|tinib|ciclovir|prazine|amine|itis|osis|a?emia|ectomy|oscopy|opathy|"
    r"algia|plegia|uria|penia|megaly|rrho?ea|sclerosis|stenosis)s?"
)
"""Stems of international drug names and endings of clinical terms."""


@dataclass(frozen=True, slots=True)
class Entities:
    """A line's medical entities.

    Attributes:
        known: Terms of the lexicon.
        unknown: Indices of words that look like medical terms and are in no list.
    """

    known: tuple[Mention, ...]
    unknown: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.known) + len(self.unknown)

    @property
    def validity(self) -> float | None:
        """Share of the entities that are known; None if there is none."""
        return len(self.known) / self.count if self.count else None


def entities_in(words: Sequence[str], lexicon: Lexicon) -> Entities:
    """The medical entities among a line's words."""
    known = tuple(lexicon.mentions(words))
    covered = {at for mention in known for at in range(mention.first, mention.last + 1)}
    unknown = tuple(at for at, word in enumerate(words) if at not in covered and _unknown(word, lexicon))
    return Entities(known, unknown)


def _unknown(word: str, lexicon: Lexicon) -> bool:
    return (
        len(word) >= _SHORTEST_LETTERS
        and not lexicon.is_word(word)
        and _LOOKS_MEDICAL.fullmatch(word) is not None
    )
