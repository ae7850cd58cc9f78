"""The words of a line that carry meaning: hesitations and stammered repeats left out.

Speech repeats itself ("I, I had a, a fever") and recognisers differ in how much of that they write, so rules
read this view. Each word remembers its tokens, and so its characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.numbers import is_number_word
from service.dialogue.tokens import FILLERS, Token
from streams.messages import Span

_LONGEST_REPEAT = 3
_SPELLINGS = {
    "cos": "because",
    "coz": "because",
    "gonna": "going to",
    "nope": "no",
    "nah": "no",
    "ohh": "oh",
    "ooh": "oh",
    "dunno": "don't know",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "havent": "haven't",
    "hasnt": "hasn't",
    "isnt": "isn't",
    "wasnt": "wasn't",
    "cant": "can't",
    "wont": "won't",
    "cannot": "can't",
    "ive": "i've",
}
_CONTRACTED = frozenset(
    "it's he's she's that's there's here's what's who's where's how's when's let's o'clock".split()
)
_AFTER_CONTRACTION = frozenset(
    "got been gone not still completely totally really just a the my getting better worse quite very so all come "
    "started had there in on always never only pretty much fine okay bad terrible horrible awful sore had said back "
    "coming going swollen painful from since because due there worse".split()
)
"""What a contracted "is" or "has" goes before, and a possessive does not: "the cough's gone", "Crohn's disease"."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Content words of a line, in order. A noun and its contracted verb are two: "cough", "'s".

    Attributes:
        words: Canonical words.
        places: For each word, the characters that it was written with.
    """

    words: tuple[str, ...] = field(repr=False)
    places: tuple[Span, ...] = field(repr=False)

    def span(self, first: int, last: int) -> Span:
        """The characters that words `first` to `last` (inclusive) were written with."""
        return self.places[first][0], self.places[last][1]


def wording(tokens: Sequence[Token]) -> Wording:
    """Leaves hesitations and immediate repeats of up to three words out. Numbers are never taken for repeats."""
    words: list[str] = []
    places: list[Span] = []
    spoken = [token for token in tokens if token.text not in FILLERS]
    for at, token in enumerate(spoken):
        text = token.text
        if text.endswith("'s") and _contracts(text, spoken[at + 1 : at + 2]):
            words += (text[:-2], "'s")
            places += [(token.start, token.end)] * 2
            continue
        for word in _SPELLINGS[text].split() if text in _SPELLINGS else (text,):
            words.append(word)
            places.append((token.start, token.end))
        if words[-1] in words[-_LONGEST_REPEAT - 1 : -1]:
            repeated = _repeated(words)
            if repeated:
                del words[-repeated:], places[-repeated:]
    return Wording(tuple(words), tuple(places))


def _contracts(text: str, after: Sequence[Token]) -> bool:
    """Whether a noun's "'s" is "is" or "has"."""
    return text not in _CONTRACTED and bool(after) and after[0].text in _AFTER_CONTRACTION


def _repeated(words: list[str]) -> int:
    """How many words at the end only repeat those before them."""
    for length in range(1, _LONGEST_REPEAT + 1):
        if len(words) < 2 * length:
            return 0
        if words[-length:] == words[-2 * length : -length] and not any(map(is_number_word, words[-length:])):
            return length
    return 0
