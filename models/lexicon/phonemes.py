"""The alphabet of sounds: each ARPABET phoneme of North American English as one letter, stress left out.

One letter a sound makes a pronunciation an ordinary string, which edit distances take as it is.
"""

from collections.abc import Iterable

LETTERS = {
    "AA": "a", "AE": "A", "AH": "@", "AO": "o", "AW": "W", "AY": "Y", "EH": "e", "ER": "R", "EY": "E",
    "IH": "i", "IY": "I", "OW": "O", "OY": "J", "UH": "u", "UW": "U",
    "B": "b", "CH": "c", "D": "d", "DH": "D", "F": "f", "G": "g", "HH": "h", "JH": "j", "K": "k", "L": "l",
    "M": "m", "N": "n", "NG": "N", "P": "p", "R": "r", "S": "s", "SH": "S", "T": "t", "TH": "T", "V": "v",
    "W": "w", "Y": "y", "Z": "z", "ZH": "Z",
}  # fmt: skip
"""Phoneme to letter. No letter stands for two sounds."""

VOWELS = frozenset(LETTERS[name] for name in "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split())


def sounds(phonemes: Iterable[str]) -> str:
    """The letters of ARPABET phonemes such as "HH", "EH1", "D".

    Raises:
        KeyError: a phoneme is not of the alphabet.
    """
    return "".join(LETTERS[phoneme.rstrip("012")] for phoneme in phonemes)
