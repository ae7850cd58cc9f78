"""Another script or another language in the middle of an English call."""

import unicodedata
from collections.abc import Sequence

from streams.messages import Span

_LAST_LATIN = 0x024F
_FUNCTION_WORDS = frozenset(
    "el los las una uno unos del que por para con pero muy está cuando gracias muchas "
    "le les des une est dans pour avec pas vous nous je merci très c'est qui "
    "der das und ist nicht ein eine mit auf für sie ich wir aber danke "
    "il gli della che sono anche questo grazie "
    "uma não você isso obrigado het een niet voor dat maar och är inte det som på nie jest się jak".split()
)
"""Frequent words of Spanish, French, German, Italian, Portuguese, Dutch, Swedish and Polish that English has not."""

_ENGLISH = frozenset(
    "the a i it you and to of is was in have for that my your no yes yeah not do on with so but this be are".split()
)
_LEAST_WORDS = 4
_LEAST_FOREIGN = 2


def other_script(text: str) -> Span | None:
    """From the first to the last letter of a script that is not Latin; None where there are fewer than two."""
    if text.isascii():
        return None
    places = [
        at
        for at, character in enumerate(text)
        if ord(character) > _LAST_LATIN and unicodedata.category(character).startswith("L")
    ]
    return (places[0], places[-1] + 1) if len(places) > 1 else None


def other_language(words: Sequence[str]) -> bool:
    """Whether words of other languages outnumber English ones, by the most frequent words of each."""
    if len(words) < _LEAST_WORDS:
        return False
    foreign = sum(word in _FUNCTION_WORDS for word in words)
    return foreign >= _LEAST_FOREIGN and foreign > 2 * sum(word in _ENGLISH for word in words)
