"""The assertion ledger of a call: what the patient has said to be so, and where a new line disagrees with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.dialogue.conflicts import Conflict
from service.dialogue.corrections import corrects
from service.dialogue.lines import Line
from service.dialogue.lost_words import lost_quantity, lost_term
from service.dialogue.memory import Memory, MemoryForm
from service.dialogue.read_back import disagreeing_read_back
from service.dialogue.reading import LineReading, read_line
from service.dialogue.restatement import measured_subject, restated_otherwise
from service.dialogue.self_consistency import lost_negation, mixed_answer
from service.dialogue.speakers import STAFF
from service.dialogue.terms import TermMatcher

__all__ = ["AssertionLedger", "Conflict", "LedgerSettings"]


@dataclass(frozen=True, slots=True)
class LedgerSettings:
    """Bounds of a ledger.

    Attributes:
        remembered: Most assertions, quantities and sides kept each; the oldest is forgotten first.
        look_back: Earlier lines searched for the question that a line answers.
    """

    remembered: int = 200
    look_back: int = 6

    def __post_init__(self) -> None:
        if min(self.remembered, self.look_back) < 1:
            raise ValueError("a ledger's bounds must be positive")


class AssertionLedger:
    """What the patient has established in one call.

    Staff (clinician, agent) are compared with it and add nothing to it; every other speaker counts as the patient.
    """

    def __init__(self, matcher: TermMatcher, settings: LedgerSettings | None = None) -> None:
        self._matcher = matcher
        self._settings = settings or LedgerSettings()
        self._memory = Memory(self._settings.remembered)

    def read(self, line: Line, before: Sequence[Line]) -> LineReading:
        """Reads a line after the lines before it, oldest first; only the last few are read."""
        return read_line(line, before, self._matcher, look_back=self._settings.look_back)

    def compare(self, reading: LineReading, before: Sequence[Line]) -> tuple[Conflict, ...]:
        """Takes a line in, and says where it disagrees with the call so far.

        Args:
            reading: Of the new line. One that comes late or revised is compared with what was said before it alone.
            before: Lines before it, oldest first; only the last few are read.
        """
        if not reading.said.words:
            return ()
        if reading.line.speaker in STAFF:
            read_back = disagreeing_read_back(reading, before, self._memory, self._matcher)
            return (*lost_quantity(reading), *lost_term(reading), *read_back)
        conflicts = (*lost_quantity(reading), *lost_term(reading), *self._compare(reading))
        self._memory.note(reading, measured_subject(reading))
        return conflicts

    def retract(self, sequence: int) -> None:
        """Forgets what a line established: it has been revised, and is about to be read anew."""
        self._memory.retract(sequence)

    def form(self) -> MemoryForm:
        """What the patient has established, as plain data for a call's state."""
        return self._memory.form()

    def resume(self, form: MemoryForm) -> None:
        """Goes on from what the ledger that wrote a form had established."""
        self._memory = Memory.of_form(form, self._settings.remembered)

    def _compare(self, reading: LineReading) -> Iterator[Conflict]:
        if not corrects(reading.said.words):
            mixed = mixed_answer(reading)
            if mixed is not None:
                yield mixed
        lost = lost_negation(reading)
        if lost is not None:
            yield lost
        yield from restated_otherwise(reading, self._memory)
