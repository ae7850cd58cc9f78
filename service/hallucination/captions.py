"""Sentences and addresses known from video captions: recognisers write them where nobody speaks."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

_FACTS = "captions.toml"
_MOST_PARTS = 4
"""Words of an address that its span takes in."""
_WEB_WORDS = frozenset({"www", "http", "https"})


@cache
def _captions() -> re.Pattern[str]:
    listed = tomllib.loads(files(__package__).joinpath(_FACTS).read_text("utf-8"))
    longest_first = sorted(listed["captions"], key=len, reverse=True)
    return re.compile(rf"(?:^| )({'|'.join(map(re.escape, longest_first))})(?= |$)")


def caption_in(words: Sequence[str]) -> tuple[int, int] | None:
    """First and last word (inclusive) of a caption's sentence, or None. Words in canonical form."""
    text = " ".join(words)
    found = _captions().search(text)
    if found is None:
        return None
    first = text.count(" ", 0, found.start(1))
    return first, first + found.group(1).count(" ")


def web_address_in(words: Sequence[str]) -> tuple[int, int] | None:
    """First and last word (inclusive) of a web address, or None; a mail address is none."""
    for at, word in enumerate(words):
        if word in _WEB_WORDS:
            return at, min(len(words), at + _MOST_PARTS) - 1
    return None
