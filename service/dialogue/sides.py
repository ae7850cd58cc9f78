"""Left and right, where they mean a side of the body and not "right, okay"."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from service.dialogue.terms import TermMatch

SideName = Literal["left", "right"]

_BOTH = frozenset("both either bilateral other".split())
_BETWEEN = frozenset("lower upper front back hand side of".split())
_REACH = 3
_BEFORE_SIDE = frozenset(
    "my your the his her on left right lower upper and or a only just that this same".split()
)


@dataclass(frozen=True, slots=True)
class Side:
    """A side that was said: of a body part, or of the body ("side")."""

    place: str = field(repr=False)
    side: SideName
    first: int
    last: int

    @property
    def opposite(self) -> SideName:
        """The other side."""
        return "right" if self.side == "left" else "left"


def sides_in(words: Sequence[str], places: Sequence[TermMatch]) -> tuple[Side, ...]:
    """All sides that the words name of `places`, the body parts in them, or of the body; in order."""
    if "left" not in words and "right" not in words:
        return ()
    found: list[Side] = []
    for at, word in enumerate(words):
        if word not in {"left", "right"}:
            continue
        if _of_the_body(words, at):
            found.append(Side("side", _side(word), at, words.index("side", at)))
            continue
        named = next((term for term in places if at < term.first <= at + _REACH), None)
        if named is not None and _BETWEEN.issuperset(words[at + 1 : named.first]):
            found.append(Side(named.canonical, _side(word), at, named.last))
    return tuple(found)


def _of_the_body(words: Sequence[str], at: int) -> bool:
    """Whether "left" or "right" at `at` means a side of the body: "on the left side", "my right hand side"."""
    sided = words[at + 1 : at + 2] == ("side",) or tuple(words[at + 1 : at + 3]) == ("hand", "side")
    return sided and at > 0 and words[at - 1] in _BEFORE_SIDE


def names_both(words: Sequence[str]) -> bool:
    """Whether both sides, or another side, are spoken of."""
    return not _BOTH.isdisjoint(words) or ("left" in words and "right" in words)


def _side(word: str) -> SideName:
    return "left" if word == "left" else "right"
