"""Counts the words of clinical dialogues: `python -m service.calibration.consultation_words DIALOGUES LEXICON`.

Writes `service/repair/consultation_words.json`: English words and how often they were said, no line of the dialogues.
"""

import sys
from collections import Counter
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

import orjson

from models.lexicon import load_lexicon
from service.dialogue.tokens import tokenise
from service.repair.consultation_words import SHIPPED_COUNTS

_LEAST_COUNT = 2
_SOURCE = "MTS-Dialog and ACI-bench, training parts (CC BY 4.0)"


def count_words(texts: Iterable[str], english: Container[str]) -> dict[str, Any]:
    """The content of the file: words counted altogether, and the count of each English word said more than once.

    Args:
        texts: What was said.
        english: The words that may be listed.
    """
    counts = Counter(token.text for text in texts for token in tokenise(text) if not token.filler)
    listed = {
        word: count for word, count in sorted(counts.items()) if count >= _LEAST_COUNT and word in english
    }
    return {"source": _SOURCE, "counted": counts.total(), "counts": listed}


def read_turns(dialogues: Path) -> list[str]:
    """The text of every turn of a file with one dialogue a line."""
    rows = (orjson.loads(line) for line in dialogues.read_bytes().splitlines() if line.strip())
    return [turn["text"] for row in rows for turn in row["turns"]]


if __name__ == "__main__":
    english = load_lexicon(Path(sys.argv[2])).english_words
    content = count_words(read_turns(Path(sys.argv[1])), english)
    Path(str(SHIPPED_COUNTS)).write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
