"""Words of a segment in one canonical form, so that formatted and bare transcripts of the same words agree.

Recognisers differ: some write punctuation, capitals, digits and unit symbols, some write none. Everything
that reads words reads these tokens; each remembers which characters of the received text it came from.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from service.dialogue.numbers import spoken_number
from streams.messages import Span

_WORD_OR_NUMBER = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+(?:[.,]\d+)*")

FILLERS = frozenset({"um", "uh", "erm", "er", "mm", "hmm", "mhm", "ah", "eh", "umm", "uhm"})
"""Sounds of hesitation: some recognisers write them, some leave them out."""

_SPELLINGS = {
    "ok": "okay",
    "dr": "doctor",
    "mg": "milligrams",
    "mgs": "milligrams",
    "mcg": "micrograms",
    "ml": "millilitres",
    "mls": "millilitres",
    "kg": "kilograms",
    "kgs": "kilograms",
    "cm": "centimetres",
    "milligram": "milligrams",
    "microgram": "micrograms",
}


@dataclass(frozen=True, slots=True)
class Token:
    """One spoken word in canonical form, with the `[start, end)` characters that it was written with.

    A number in digits becomes several tokens with the same span.
    """

    text: str = field(repr=False)
    start: int
    end: int

    @property
    def filler(self) -> bool:
        """Whether this is a sound of hesitation."""
        return self.text in FILLERS


def tokenise(text: str) -> tuple[Token, ...]:
    """Splits a segment's text into canonical tokens, in order."""
    tokens: list[Token] = []
    for match in _WORD_OR_NUMBER.finditer(text):
        written = match.group().lower().replace("\u2019", "'")
        spoken = spoken_number(written) if written[0].isdigit() else (_SPELLINGS.get(written, written),)
        tokens.extend(Token(word, match.start(), match.end()) for word in spoken)
    return tuple(tokens)


def bare(tokens: Iterable[Token]) -> str:
    """The tokens as bare text: lower case, single spaces, no punctuation."""
    return " ".join(token.text for token in tokens)


def span_of(tokens: tuple[Token, ...], first: int, last: int) -> Span:
    """The characters that tokens `first` to `last` (inclusive) were written with."""
    return tokens[first].start, tokens[last].end
