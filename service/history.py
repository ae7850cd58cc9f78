"""What was said in a call: its recent lines, and from where on the language model reads them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from typing_extensions import TypedDict

from service.dialogue.lines import Line
from service.dialogue.tokens import Token
from service.monitor_settings import CallSettings
from streams.messages import Speaker

_CHARACTERS_OF_A_SPAN = 5
"""What a word's place in the received text takes in a call's state."""

LineForm = tuple[int, Speaker, str, list[int], float | None, float | None]
"""A line in a call's state: sequence, speaker, words, where they were written, start and end.

Where: for each word the characters since the word before it (fewer than none where both are of one number), and how
many it was written with.
"""


class HistoryForm(TypedDict):
    """A history in a call's state."""

    lines: list[LineForm]
    restarted_at: int | None


@dataclass(slots=True)
class History:
    """Recent lines of a call, by sequence, the oldest forgotten.

    Attributes:
        lines: The lines.
        restarted_at: Sequence of the line with whose last words the language model's context began anew, if it did.
    """

    lines: list[Line] = field(default_factory=list, repr=False)
    restarted_at: int | None = None
    _forms: dict[int, LineForm] = field(default_factory=dict, repr=False, compare=False)

    @property
    def last(self) -> int | None:
        """The greatest sequence; None before the first line."""
        return self.lines[-1].sequence if self.lines else None

    def before(self, sequence: int) -> list[Line]:
        """The lines before a sequence, oldest first."""
        return [line for line in self.lines if line.sequence < sequence]

    def retract(self, sequence: int) -> None:
        """Forgets a line: it has been revised."""
        self.lines = [line for line in self.lines if line.sequence != sequence]
        self._forms.pop(sequence, None)

    def remember(self, line: Line, settings: CallSettings) -> None:
        """Takes a line in, and forgets the oldest beyond the bounds."""
        self.lines.append(line)
        self.lines.sort(key=lambda kept: kept.sequence)
        del self.lines[: -settings.history_lines]
        sizes = [len(kept.shown) + _CHARACTERS_OF_A_SPAN * len(kept.tokens) for kept in self.lines]
        surplus = sum(sizes) - settings.history_characters
        while surplus > 0 and len(self.lines) > 1:
            surplus -= sizes[len(sizes) - len(self.lines)]
            del self.lines[0]
        self._restart_context(settings)

    def context(self, before: Sequence[Line], settings: CallSettings) -> tuple[Line, ...]:
        """Of the lines before another those that the language model reads; of the first perhaps the last words only."""
        if self.restarted_at is None:
            return tuple(before)
        return tuple(
            line if line.sequence > self.restarted_at else line.ending(settings.context_kept_words)
            for line in before
            if line.sequence >= self.restarted_at
        )

    def form(self) -> HistoryForm:
        """All of it, as plain data. A line's form is made once, though every state holds it."""
        known = self._forms
        self._forms = {line.sequence: known.get(line.sequence) or _line_form(line) for line in self.lines}
        return {"lines": list(self._forms.values()), "restarted_at": self.restarted_at}

    @classmethod
    def of_form(cls, form: HistoryForm) -> "History":
        """The history that wrote a form.

        Raises:
            ValueError: a line's words and places do not fit each other.
        """
        return cls([_line(row) for row in form["lines"]], form["restarted_at"])

    def _restart_context(self, settings: CallSettings) -> None:
        """Begins the context anew once it is full, with the last words of it: of whole lines, if one is not longer.

        Where it restarts depends on the call's text alone, so that a rebuilt cache equals a kept one.
        """
        context = self.context(self.lines, settings)
        words = sum(len(line.tokens) for line in context)
        # Were the context as long as the history, each new line would push out its first: another text every time.
        if words <= settings.context_words and len(context) <= settings.history_lines // 2:
            return
        kept = 0
        for line in reversed(context):
            kept += len(line.tokens)
            if kept > settings.context_kept_words and line is not context[-1]:
                break
            self.restarted_at = line.sequence


def _line_form(line: Line) -> LineForm:
    places: list[int] = []
    end = 0
    for token in line.tokens:
        places += (token.start - end, token.end - token.start)
        end = token.end
    words = " ".join(token.text for token in line.tokens)
    return line.sequence, line.speaker, words, places, line.start, line.end


def _line(form: LineForm) -> Line:
    sequence, speaker, words, places, start, end = form
    tokens: list[Token] = []
    at = 0
    for word, gap, length in zip(words.split(), places[::2], places[1::2], strict=True):
        tokens.append(Token(word, at + gap, at + gap + length))
        at += gap + length
    return Line(sequence, speaker, tuple(tokens), start, end)
