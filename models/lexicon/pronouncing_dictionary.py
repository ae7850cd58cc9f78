"""Reads the CMU Pronouncing Dictionary: one word and its phonemes a line."""

import re
from pathlib import Path

from models.lexicon.phonemes import sounds

_VARIANT = re.compile(r"\(\d+\)$")


def read_pronunciations(path: Path) -> dict[str, str]:
    """Word to sounds, the dictionary's first pronunciation of each word."""
    found: dict[str, str] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            entry, _, comment_free = line.partition("#")[0].strip().partition(" ")
            if entry and not _VARIANT.search(entry):
                found.setdefault(entry, sounds(comment_free.split()))
    return found
