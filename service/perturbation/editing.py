"""Changes words of a text and leaves it as a recogniser would have written it: spaces, punctuation, capitals."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_MARKS = ",.;:?!"
_SENTENCE_ENDS = ".?!"
_APOSTROPHES = frozenset("'\u2019")
_FIRST_PERSON = re.compile(r"\bi\b")


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """Characters `start` to `end` (exclusive) become other words; none where they are lost."""

    start: int
    end: int
    words: str = field(default="", repr=False)


def changed(text: str, changes: Iterable[Change]) -> str:
    """The text with all changes, which must be the same or not overlap."""
    for change in sorted(set(changes), reverse=True):
        text = _replaced(text, change) if change.words else _cut(text, change.start, change.end)
    return text


def _replaced(text: str, change: Change) -> str:
    words = change.words
    if text != text.lower():
        words = _FIRST_PERSON.sub("I", words)
    if text[change.start].isupper() and _begins_sentence(text[: change.start]):
        words = _capitalised(words)
    return text[: change.start] + words + text[change.end :]


def _cut(text: str, start: int, end: int) -> str:
    if text[end : end + 1] in _APOSTROPHES and not text[end + 1 : end + 2].isalnum():
        end += 1
    left, right = text[:start].rstrip(), text[end:].lstrip()
    spaced = len(left) < start or len(right) < len(text) - end
    if left.endswith("-") and not text[end : end + 1].isalnum():
        left, spaced = left[:-1].rstrip(), True
    if right[:1] and right[0] in _MARKS:
        if not left or left[-1] in _SENTENCE_ENDS:
            right = right.lstrip(f"{_MARKS} ")
        elif left[-1] in _MARKS:
            left = left[:-1]
    if text[start].isupper() and _begins_sentence(left):
        right = _capitalised(right)
    if not left or not right or right[0] in _MARKS or not spaced:
        return left + right
    return f"{left} {right}"


def _begins_sentence(before: str) -> bool:
    before = before.rstrip()
    return not before or before[-1] in _SENTENCE_ENDS


def _capitalised(words: str) -> str:
    return words[:1].upper() + words[1:]
