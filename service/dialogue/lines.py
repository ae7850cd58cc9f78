"""One line of a call's running transcript, and how the language model is shown it.

The model sees each line as "Patient: I've had it for two days", a form in which it has read much dialogue;
hesitations are left out, since some recognisers write them and some do not. A scored text ends with the end of
the line, so that it also says how probable it is that the speaker stopped there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from service.dialogue.tokens import Token, bare
from streams.messages import Speaker


@dataclass(frozen=True, slots=True)
class Line:
    """What one segment said, as canonical tokens. Times in seconds from call start.

    Attributes:
        spoken: The tokens without hesitations: what the language model is shown.
        shown: These as one line of its context; empty where nothing was spoken. Kept, since every later segment of the
            call reads it again.
    """

    sequence: int
    speaker: Speaker
    tokens: tuple[Token, ...] = field(repr=False)
    start: float | None = None
    end: float | None = None
    spoken: tuple[Token, ...] = field(init=False, repr=False, compare=False)
    shown: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        spoken = tuple(token for token in self.tokens if not token.filler)
        object.__setattr__(self, "spoken", spoken)
        shown = f"{_shown_as(self.speaker)}{scored_text(spoken)}" if spoken else ""
        object.__setattr__(self, "shown", shown)

    @property
    def text(self) -> str:
        """The line as bare text."""
        return bare(self.tokens)

    def ending(self, words: int) -> "Line":
        """The line's last words; the line itself where it is not longer."""
        if len(self.tokens) <= words:
            return self
        return replace(self, tokens=self.tokens[len(self.tokens) - words :])


def context_of(lines: Sequence[Line], speaker: Speaker) -> str:
    """What the language model reads before `speaker` begins to speak: speaker-tagged lines."""
    return "".join(line.shown for line in lines) + _shown_as(speaker)


def scored_text(tokens: Sequence[Token]) -> str:
    """The tokens as they continue a context: each word after one space, and the end of the line."""
    return unended_text(tokens) + "\n"


def unended_text(tokens: Sequence[Token]) -> str:
    """The same without the end of the line, for a line that goes on."""
    return "".join(f" {_shown(token.text)}" for token in tokens)


def token_at(tokens: Sequence[Token], character: int) -> int | None:
    """Index of the token that holds a character of `scored_text(tokens)`; None for the end of the line."""
    position = 0
    for index, token in enumerate(tokens):
        position += 1 + len(token.text)
        if character < position:
            return index
    return None


def _shown_as(speaker: Speaker) -> str:
    """How a line of the speaker's begins: a clinician is a doctor, which is one token instead of three."""
    return f"{'Doctor' if speaker == 'clinician' else speaker.capitalize()}:"


def _shown(word: str) -> str:
    return "I" + word[1:] if word == "i" or word.startswith("i'") else word
