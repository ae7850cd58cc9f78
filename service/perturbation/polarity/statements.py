"""Denies plain statements: "I have a rash" becomes "I don't have a rash"."""

from service.perturbation.polarity.opposites import NEGATIVE_OF, PARTICIPLES, WITH_DO
from service.perturbation.polarity.reading import Edits, Reading

_SUBJECTS = frozenset("i you we they he she it that there".split())
_WITH_HAVE = {"i've": "i", "you've": "you", "we've": "we", "they've": "they"}
_WITH_BE = {"it's": "it", "there's": "there", "he's": "he", "she's": "she"}
_NOT_DENIED = frozenset({"just", "like", "gonna"})


def denied(reading: Reading, at: int) -> Edits | None:
    """The edits that deny the statement that begins at `at`."""
    words = reading.words
    word = words[at] if at < len(words) else ""
    if at in reading.stops or at + 1 >= len(words):
        return None
    after = words[at + 1]
    beyond = words[at + 2] if at + 2 < len(words) and at + 1 not in reading.stops else ""
    if word in _WITH_HAVE:
        return {at: f"{_WITH_HAVE[word]} haven't"} if after in PARTICIPLES else None
    if word == "i'm":
        return {at: "i'm not"} if after not in _NOT_DENIED else None
    if word in _WITH_BE:
        return None if after in PARTICIPLES else {at: f"{_WITH_BE[word]} isn't"}
    if word not in _SUBJECTS:
        return None
    return _denied_verb(word, at + 1, after, beyond)


def _denied_verb(subject: str, at: int, verb: str, beyond: str) -> Edits | None:
    if verb == "am":
        return {at: "am not"}
    if beyond in PARTICIPLES and verb in {"have", "has", "had"}:
        return {at: NEGATIVE_OF[verb]}
    if verb in {"have", "has"} and beyond:
        return {at: "don't have" if verb == "have" else "doesn't have"}
    if verb == "had" and beyond:
        return {at: "didn't have"}
    if verb in WITH_DO and subject in {"i", "you", "we", "they"}:
        return {at: f"don't {verb}"} if beyond or verb != "have" else {at: "haven't"}
    return {at: NEGATIVE_OF[verb]} if verb in NEGATIVE_OF else None
