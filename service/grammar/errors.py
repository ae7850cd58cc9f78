"""Pairs of words that cannot stand side by side in spoken English, whatever the dialect of the clinic."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_DETERMINERS = frozenset("a an the my your his our their".split())
_ARTICLE_CORRECTED = frozenset({"a", "an"})
"""Speakers who said the one put the other right: that is no error of the transcript."""

_THIRD_PERSON = frozenset({"he", "she"})
_OTHER_PERSONS = frozenset({"i", "you", "we", "they"})
_PLAIN_VERBS = frozenset("have do go feel need want take get am are".split())
_THIRD_PERSON_VERBS = frozenset("has does goes feels needs wants takes gets".split())
_LEADS_TO_A_PLAIN_VERB = frozenset(
    "does did do doesn't didn't don't can could will would should shall may might must let make makes made see help "
    "can't won't couldn't wouldn't shouldn't have has are is were was watch saw heard had if that if".split()
)
_VOWEL_SOUND = frozenset(
    "hour hours honest x-ray ecg mri ent iud ear eye arm ankle elbow itch allergy operation".split()
)
_CONSONANT_SOUND = frozenset(
    "week year day month doctor cough headache fever rash lump pain tablet scan".split()
)


@dataclass(frozen=True, slots=True)
class GrammarError:
    """An error that takes words `first` to `last` (inclusive), with a reason code."""

    first: int
    last: int
    reason: str


def errors_in(words: Sequence[str]) -> Iterator[GrammarError]:
    """Errors, in order. Words in canonical form, hesitations and repeats left out."""
    for at, (word, after) in enumerate(pairwise(words)):
        reason = _reason(words[at - 1] if at else "", word, after)
        if reason is not None:
            yield GrammarError(at, at + 1, reason)


def _reason(before: str, word: str, after: str) -> str | None:
    if word in _DETERMINERS and after in _DETERMINERS and not {word, after} <= _ARTICLE_CORRECTED:
        return "doubled_determiner"
    if (word == "a" and after in _VOWEL_SOUND) or (word == "an" and after in _CONSONANT_SOUND):
        return "article"
    if word in _THIRD_PERSON and after in _PLAIN_VERBS and before not in _LEADS_TO_A_PLAIN_VERB:
        return "agreement"
    if word in _OTHER_PERSONS and after in _THIRD_PERSON_VERBS and before not in _LEADS_TO_A_PLAIN_VERB:
        return "agreement"
    return None
