"""The state of one call: what was said, what was established, what was flagged. Bounded, and in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal

import structlog

from service.dialogue.ledger import AssertionLedger, Conflict
from service.dialogue.lines import Line
from service.dialogue.reading import LineReading
from service.dialogue.tokens import tokenise
from service.flagging import RecentFlags
from service.moment import Moment
from service.monitor_settings import CallSettings, PaceSettings
from service.pace import Paces
from streams.messages import Segment

_log = structlog.get_logger(__name__)

Arrival = Literal["new", "late", "revised", "repeated"]


@dataclass(slots=True)
class CallState:
    """Follows one call.

    Attributes:
        ledger: What the call has established.
        lines: Recent lines, by sequence, the oldest forgotten.
        restarted_at: Sequence of the line with whose last words the language model's context began anew, if it did.
        paces: How fast each speaker speaks.
        recent_flags: What was flagged within the cooldown.
        positions: Segments admitted so far.
        last_heard: When the last segment came, on the monitor's clock (seconds).
    """

    ledger: AssertionLedger
    lines: list[Line] = field(default_factory=list, repr=False)
    restarted_at: int | None = None
    paces: Paces = field(default_factory=Paces)
    recent_flags: RecentFlags = field(default_factory=dict, repr=False)
    positions: int = 0
    last_heard: float = 0.0
    _contents: dict[int, bytes] = field(default_factory=dict, repr=False)

    def arrival(self, segment: Segment, settings: CallSettings) -> Arrival:
        """Says whether a segment is new, late, a revision or a repetition, and remembers it."""
        content = _content(segment)
        known = self._contents.get(segment.sequence)
        if known == content:
            return "repeated"
        late = known is None and bool(self.lines) and segment.sequence < self.lines[-1].sequence
        self._contents[segment.sequence] = content
        if len(self._contents) > settings.remembered_sequences:
            del self._contents[next(iter(self._contents))]
        if known is not None:
            return "revised"
        return "late" if late else "new"

    def admit(self, segment: Segment, understood: bool, settings: CallSettings, pace: PaceSettings) -> Moment:
        """Takes a segment into the call and gives the moment at which it came.

        Args:
            segment: New, late or revised.
            understood: Whether its language is one that the signals understand; its words are not read otherwise.
            settings: Bounds of what is remembered.
            pace: How paces are kept.
        """
        self._retract(segment.sequence, pace)
        tokens = tokenise(segment.text)[: settings.line_words] if understood else ()
        line = Line(segment.sequence, segment.speaker, tokens, segment.start, segment.end)
        before = [earlier for earlier in self.lines if earlier.sequence < segment.sequence]
        reading, conflicts = self._read(line, before) if understood else (None, ())
        moment = Moment(
            segment=segment,
            line=line,
            context=self._context(before, settings),
            history=tuple(before),
            reading=reading,
            conflicts=conflicts,
            pace=self.paces.of(segment.speaker),
        )
        self._remember(line, settings)
        self.paces.hear(segment, len(tokens), pace)
        self.positions += 1
        return moment

    def _retract(self, sequence: int, pace: PaceSettings) -> None:
        """Takes back what an earlier version of a segment established, so that its revision cannot contradict it."""
        if not self.lines or sequence > self.lines[-1].sequence:
            return  # it comes in order: nothing was heard of it
        self.lines = [line for line in self.lines if line.sequence != sequence]
        self.ledger.retract(sequence)
        self.paces.retract(sequence, pace)

    def _read(
        self, line: Line, before: Sequence[Line]
    ) -> tuple[LineReading | None, tuple[Conflict, ...] | None]:
        try:
            reading = self.ledger.read(line, before)
            return reading, self.ledger.compare(reading, before)
        except Exception as error:  # noqa: BLE001 - one line that breaks it must not stop every call
            _log.warning("line_not_read", error=type(error).__name__)
            return None, None

    def _remember(self, line: Line, settings: CallSettings) -> None:
        self.lines.append(line)
        self.lines.sort(key=lambda kept: kept.sequence)
        del self.lines[: -settings.history_lines]
        self._restart_context(settings)

    def _context(self, before: Sequence[Line], settings: CallSettings) -> tuple[Line, ...]:
        """The lines that the language model reads; of the one at which it restarted only the last words."""
        if self.restarted_at is None:
            return tuple(before)
        return tuple(
            line if line.sequence > self.restarted_at else line.ending(settings.context_kept_words)
            for line in before
            if line.sequence >= self.restarted_at
        )

    def _restart_context(self, settings: CallSettings) -> None:
        """Begins the context anew once it is full, with the last words of it: of whole lines, if one is not longer.

        Where it restarts depends on the call's text alone, so that a rebuilt cache equals a kept one.
        """
        context = self._context(self.lines, settings)
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


def _content(segment: Segment) -> bytes:
    """What makes a segment the same when it comes again: all that an assessment may depend on, but when it came."""
    parts = (
        segment.speaker,
        segment.start,
        segment.end,
        segment.speech_seconds,
        segment.end_of_turn,
        segment.language,
        segment.confidence,
        *((word.text, word.start, word.end, word.confidence) for word in segment.words),
        segment.text,
    )
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
