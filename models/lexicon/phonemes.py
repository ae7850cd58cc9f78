"""The alphabet of sounds: ARPABET phonemes of North American English as single letters, stress left out.

One letter a sound makes a pronunciation an ordinary string, which edit distances take as it is. The affricates
and the r-coloured vowel are written as the two sounds that they consist of, since recognisers split them
("itchy", "it's key").
"""

from collections.abc import Iterable

LETTERS = {
    "AA": "a", "AE": "A", "AH": "@", "AO": "o", "AW": "W", "AY": "Y", "EH": "e", "EY": "E", "IH": "i", "IY": "I",
    "OW": "O", "OY": "J", "UH": "u", "UW": "U",
    "B": "b", "D": "d", "DH": "D", "F": "f", "G": "g", "HH": "h", "K": "k", "L": "l", "M": "m", "N": "n", "NG": "N",
    "P": "p", "R": "r", "S": "s", "SH": "S", "T": "t", "TH": "T", "V": "v", "W": "w", "Y": "y", "Z": "z", "ZH": "Z",
}  # fmt: skip
"""Single sounds: phoneme to letter. No letter stands for two sounds."""

_SPELLED = LETTERS | {"CH": "tS", "JH": "dZ", "ER": "@r"}

VOWELS = frozenset(LETTERS[name] for name in "AA AE AH AO AW AY EH EY IH IY OW OY UH UW".split())


def sounds(phonemes: Iterable[str]) -> str:
    """The letters of ARPABET phonemes such as "HH", "EH1", "D".

    Raises:
        KeyError: a phoneme is not of the alphabet.
    """
    return "".join(_SPELLED[phoneme.rstrip("012")] for phoneme in phonemes)
