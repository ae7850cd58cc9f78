"""Reads how common English words are: a word and its count a line."""

from pathlib import Path


def read_word_frequencies(path: Path) -> dict[str, int]:
    """Word to how often it was counted."""
    found: dict[str, int] = {}
    with path.open(encoding="utf-8-sig") as lines:
        for line in lines:
            word, count = line.split()
            found[word] = int(count)
    return found
