"""Gives copies of one recorded call words of their own.

A benchmark plays the same few recordings as many calls. In service no two calls are the same, so that a cache of
texts, which would answer every copy after the first, finds only what people really repeat, such as "okay".
"""

from dataclasses import replace
from hashlib import blake2b
from typing import Final

from benchmarks.calls import Call
from streams.messages import Segment

_WORDS: Final = (
    "actually again already always anyway around away back before better both certainly clearly easily either else "
    "enough especially even eventually everything exactly fairly finally first fully generally gradually here however "
    "just lately later maybe mainly mostly much nearly now often once overall partly perhaps probably quickly quite "
    "rather really recently regularly roughly simply slightly slowly so somehow sometimes soon still straight then"
).split()
LEAST_WORDS: Final = 6
"""Shorter lines stay as they are: those are what people repeat."""


def with_own_words(call: Call, call_id: str) -> Call:
    """The call under another id; the last two words of each longer line are two that depend on the id.

    As many words as before, so that it costs the same.
    """
    number = int.from_bytes(blake2b(call_id.encode(), digest_size=8).digest())
    own = f"{_WORDS[number % len(_WORDS)]} {_WORDS[number // len(_WORDS) % len(_WORDS)]}"
    return tuple(replace(segment, call_id=call_id, text=_ending_with(own, segment)) for segment in call)


def _ending_with(own: str, segment: Segment) -> str:
    words = segment.text.split()
    return segment.text if len(words) < LEAST_WORDS else f"{' '.join(words[:-2])} {own}."
