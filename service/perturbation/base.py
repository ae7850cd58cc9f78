"""What an error type is given and what it gives."""

from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from service.dialogue.tokens import Token
from service.dialogue.wording import Wording
from streams.messages import Span


@dataclass(frozen=True, slots=True)
class Original:
    """A segment as it was transcribed, and as the dialogue's rules read it.

    Attributes:
        text: The segment's text.
        tokens: Its words without hesitations, stammered repeats included.
        said: Its words without either.
        asks: The characters of each question that it asks.
        answers: Whether the turn before it asks more than who one is and whether one hears.
    """

    text: str = field(repr=False)
    tokens: tuple[Token, ...] = field(repr=False)
    said: Wording = field(repr=False)
    asks: tuple[Span, ...] = ()
    answers: bool = False

    def place(self, first: int, last: int) -> Span:
        """The characters of words `first` to `last` (inclusive) of `said`.

        Where a stammered repeat lies between them ("a, it was a few years"), those after it.
        """
        places = self.said.places
        for at in range(last, first, -1):
            if any(places[at - 1][1] <= token.start and token.end <= places[at][0] for token in self.tokens):
                return places[at][0], places[last][1]
        return places[first][0], places[last][1]


class ErrorType(Protocol):
    """One way in which a recogniser falsifies what was said. Holds no state between segments."""

    @property
    def name(self) -> str:
        """Its name in manifests."""
        ...

    def alter(self, original: Original, rng: Random) -> str | None:
        """The segment's text with one error of this type.

        Args:
            original: The segment.
            rng: Decides where several errors are possible; the only source of chance.

        Returns:
            The altered text, which differs from the original; None where nothing of this kind can go wrong.
        """
        ...
