"""The state of one call: what was said, what was established, what was flagged. Bounded, and in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal

import structlog
from typing_extensions import TypedDict

from service.dialogue.ledger import AssertionLedger, Conflict
from service.dialogue.lines import Line
from service.dialogue.memory import MemoryForm
from service.dialogue.reading import LineReading
from service.dialogue.tokens import tokenise
from service.flagging import RecentFlags, RecentFlagsForm, flags_form, recent_flags_of
from service.history import History, HistoryForm
from service.moment import Moment
from service.monitor_settings import CallSettings, PaceSettings
from service.pace import Paces, PacesForm
from service.state.sequence_rows import SequenceRows, SequenceRowsForm
from streams.messages import Segment

_log = structlog.get_logger(__name__)

Arrival = Literal["new", "late", "revised", "repeated"]

_CONTENT_BYTES = 4
"""Of a segment's content so much is remembered: one revision in four billion looks like a repetition."""


class CallForm(TypedDict):
    """A call in the state that moves with it."""

    positions: int
    history: HistoryForm
    ledger: MemoryForm
    paces: PacesForm
    recent_flags: RecentFlagsForm
    contents: SequenceRowsForm


@dataclass(slots=True)
class CallState:
    """Follows one call.

    Attributes:
        ledger: What the call has established.
        contents: What makes each of the last segments recognisable when it comes again.
        history: Recent lines.
        paces: How fast each speaker speaks.
        recent_flags: What was flagged within the cooldown.
        positions: Segments admitted so far.
        last_heard: When the last segment came, on the monitor's clock (seconds).
    """

    ledger: AssertionLedger
    contents: SequenceRows
    history: History = field(default_factory=History, repr=False)
    paces: Paces = field(default_factory=Paces)
    recent_flags: RecentFlags = field(default_factory=dict, repr=False)
    positions: int = 0
    last_heard: float = 0.0

    @classmethod
    def begin(cls, ledger: AssertionLedger, settings: CallSettings) -> "CallState":
        """A call of which nothing was heard yet, with its empty ledger."""
        return cls(ledger, SequenceRows(settings.remembered_sequences))

    def arrival(self, segment: Segment) -> Arrival:
        """Says whether a segment is new, late, a revision or a repetition, and remembers it."""
        content = _content(segment)
        known = self.contents.get(segment.sequence)
        if known == content:
            return "repeated"
        last = self.history.last
        late = known is None and last is not None and segment.sequence < last
        self.contents.put(segment.sequence, content)
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
        before = self.history.before(segment.sequence)
        reading, conflicts = self._read(line, before) if understood else (None, ())
        moment = Moment(
            segment=segment,
            line=line,
            context=self.history.context(before, settings),
            history=tuple(before),
            reading=reading,
            conflicts=conflicts,
            pace=self.paces.of(segment.speaker),
        )
        self.history.remember(line, settings)
        self.paces.hear(segment, len(tokens), pace)
        self.positions += 1
        return moment

    def _retract(self, sequence: int, pace: PaceSettings) -> None:
        """Takes back what an earlier version of a segment established, so that its revision cannot contradict it."""
        last = self.history.last
        if last is None or sequence > last:
            return  # it comes in order: nothing was heard of it
        self.history.retract(sequence)
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

    def form(self) -> CallForm:
        """All that later assessments depend on, as plain data; nothing that goes on in the call changes it."""
        return {
            "positions": self.positions,
            "history": self.history.form(),
            "ledger": self.ledger.form(),
            "paces": self.paces.form(),
            "recent_flags": flags_form(self.recent_flags),
            "contents": self.contents.form(),
        }

    @classmethod
    def of_form(
        cls, form: CallForm, ledger: AssertionLedger, settings: CallSettings, last_heard: float
    ) -> "CallState":
        """The call that wrote a form.

        Args:
            form: From `form`.
            ledger: A new one.
            settings: Bounds of what is remembered.
            last_heard: When the last segment came, on the monitor's clock (seconds).

        Raises:
            ValueError: parts of it do not fit each other.
        """
        ledger.resume(form["ledger"])
        return cls(
            ledger,
            SequenceRows.of_form(form["contents"], settings.remembered_sequences, _CONTENT_BYTES),
            History.of_form(form["history"]),
            Paces.of_form(form["paces"]),
            recent_flags_of(form["recent_flags"]),
            form["positions"],
            last_heard,
        )


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
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=_CONTENT_BYTES).digest()
