"""One line of a call's running transcript, and how the language model is shown it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.tokens import Token, bare
from streams.messages import Speaker


@dataclass(frozen=True, slots=True)
class Line:
    """What one segment said, as canonical tokens. Times in seconds from call start."""

    sequence: int
    speaker: Speaker
    tokens: tuple[Token, ...] = field(repr=False)
    start: float | None = None
    end: float | None = None

    @property
    def text(self) -> str:
        """The line as bare text."""
        return bare(self.tokens)


def context_of(lines: Sequence[Line], speaker: Speaker) -> str:
    """What the language model reads before `speaker` begins to speak: speaker-tagged lines."""
    said = "".join(f"{line.speaker}: {line.text}\n" for line in lines if line.tokens)
    return f"{said}{speaker}:"


def scored_text(tokens: Sequence[Token]) -> str:
    """The tokens as they continue a context: each word after one space."""
    return "".join(f" {token.text}" for token in tokens)
