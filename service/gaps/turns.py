"""The turn that a new line ends: recognisers cut a turn into segments, so one line is not judged alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.dialogue.acknowledgements import is_acknowledgement
from service.dialogue.lines import Line
from service.dialogue.wording import wording
from service.gaps.silence import silence_after


@dataclass(frozen=True, slots=True)
class EndedTurn:
    """Another speaker's turn, at its end.

    Attributes:
        last: Its last line with words.
        words: The words of that line, hesitations and repeats left out.
        silence: Seconds after it until anybody was heard; None where times are not known.
    """

    last: Line = field(repr=False)
    words: tuple[str, ...] = field(repr=False)
    silence: float | None


def ended_turn(line: Line, before: Sequence[Line], *, look_back: int = 6) -> EndedTurn | None:
    """The turn of another speaker that `line` ends; None where its speaker goes on with their own.

    A listener's "okay" within the turn is looked through.

    Args:
        line: The new line.
        before: Lines before it, oldest first.
        look_back: How many of these are looked at.
    """
    later = [line]
    for earlier in reversed(before[-look_back:]):
        words = wording(earlier.tokens).words
        if words and not is_acknowledgement(words):
            if earlier.speaker == line.speaker:
                return None
            return EndedTurn(earlier, words, silence_after(earlier, later))
        later.append(earlier)
    return None
