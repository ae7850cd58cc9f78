"""The demo's terminal: flags as they come, then what each call came to, then what was planted and what was found.

Works without a terminal too: the same lines without colour, the words concerned in brackets.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

from service.demo.comparison import Comparison, Result, Verdict
from service.demo.outcome import RaisedFlag
from service.flagging import SEVERITIES
from streams.messages import Recommendation, Severity

PLAIN_WIDTH: Final = 150
"""Columns where there is no terminal to ask."""

CONTEXT_CHARACTERS: Final = 26
"""How much of a segment is shown on each side of the words concerned."""

_SEVERITY_STYLES: Final[dict[Severity, str]] = {
    "critical": "bold white on red",
    "high": "bold red",
    "medium": "yellow",
    "low": "cyan",
}
_RECOMMENDATION_STYLES: Final[dict[Recommendation, str]] = {
    "ACCEPT": "green",
    "REVIEW": "bold yellow",
    "REJECT": "bold red",
}
_VERDICT_STYLES: Final[dict[Verdict, str]] = {"found": "green", "noticed": "yellow", "missed": "red"}


Starts = Mapping[tuple[str, int], float | None]
"""Start of each segment in seconds, by call and sequence."""


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    width: int | None = None
    ratio: int | None = None


_FLAG_COLUMNS: Final = (
    _Column("call", width=16),
    _Column("time", width=5),
    _Column("speaker", width=9),
    _Column("severity", width=8),
    _Column("why", ratio=4),
    _Column("perhaps", ratio=2),
    _Column("words", ratio=4),
)


def open_console() -> Console:
    """A console on standard output, wide enough for a table where there is no terminal."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


class Screen:
    """Writes to a console."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, message: str) -> None:
        """One line about what is being done."""
        self._console.print(message, style="dim", markup=False, soft_wrap=True)

    @contextmanager
    def progress(self, what: str, total: float) -> Iterator[Callable[[str, float], None]]:
        """A bar at the bottom while the context lasts, where there is a terminal.

        Yields:
            Told what is being done, and how much is done.
        """
        columns = (TextColumn(what), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(
            *columns, console=self._console, transient=True, disable=not self._console.is_terminal
        ) as progress:
            task = progress.add_task("", total=total)
            yield lambda step, done: progress.update(task, description=step, completed=done)

    def flags_begin(self) -> None:
        """The head of the table of flags."""
        self._console.print(_flag_table(show_header=True))

    def flag(self, raised: RaisedFlag, starts: Starts) -> None:
        """One row: where, how urgent, why, what was probably said, and the words concerned."""
        flag = raised.flag
        earlier = "".join(f" See {clock(starts.get((flag.call_id, one.sequence)))}." for one in flag.related)
        table = _flag_table(show_header=False)
        table.add_row(
            escape(flag.call_id),
            clock(raised.start),
            raised.speaker,
            Text(flag.severity, _SEVERITY_STYLES[flag.severity]),
            Text.assemble(flag.explanation, (earlier, "dim")),
            Text(flag.suggestion or "", "green"),
            self._words(raised),
        )
        self._console.print(table)

    def summaries(self, summaries: Iterable[Mapping[str, Any]], starts: Starts) -> None:
        """What each call came to, most urgent first; takes records of the calls topic."""
        table = Table(
            Column("call", no_wrap=True),
            "minutes",
            "segments",
            Column("recommendation", no_wrap=True),
            "risk",
            "quality",
            "flags",
            "look first at",
            title="Calls",
            box=SIMPLE_HEAD,
        )
        for summary in sorted(summaries, key=_most_urgent_first):
            call_id = summary["call_id"]
            worst = sorted(summary["worst_segments"])
            table.add_row(
                escape(call_id),
                _number((summary["duration_seconds"] or 0) / 60, 1),
                str(summary["segments"]),
                Text(summary["recommendation"], _RECOMMENDATION_STYLES[summary["recommendation"]]),
                _number(summary["risk"]),
                _number(summary["quality"]),
                _spread(summary["flags_by_severity"]),
                " ".join(clock(starts.get((call_id, sequence))) for sequence in worst),
            )
        self._console.print(table)

    def comparison(self, comparison: Comparison, starts: Starts) -> None:
        """What was planted and what became of it."""
        table = Table(
            "call",
            "time",
            "planted",
            "said",
            "written",
            "came to",
            "flagged as",
            title="Planted errors",
            box=SIMPLE_HEAD,
        )
        for result in comparison.results:
            error = result.error
            table.add_row(
                escape(error.call_id),
                clock(starts.get((error.call_id, error.sequence))),
                error.kind.replace("_", " "),
                Text(_shortened(error.said)),
                Text(_shortened(error.written)),
                Text(result.verdict, _VERDICT_STYLES[result.verdict]),
                ", ".join(_flagged_as(result)),
            )
        self._console.print(table)
        self._for_nothing(comparison.for_nothing)
        self._totals(comparison, len(starts))

    def _for_nothing(self, flags: Sequence[RaisedFlag]) -> None:
        if not flags:
            return
        table = Table(
            "call", "time", "severity", "flagged as", "words", title="Flagged for nothing", box=SIMPLE_HEAD
        )
        for raised in sorted(flags, key=lambda one: (one.flag.call_id, one.flag.sequence)):
            flag = raised.flag
            table.add_row(
                escape(flag.call_id),
                clock(raised.start),
                Text(flag.severity, _SEVERITY_STYLES[flag.severity]),
                flag.type.replace("_", " "),
                self._words(raised),
            )
        self._console.print(table)

    def _totals(self, comparison: Comparison, segments: int) -> None:
        planted = len(comparison.results)
        mended = sum(result.mended for result in comparison.results)
        severities = Counter(raised.flag.severity for raised in comparison.for_nothing)
        spread = ", ".join(
            f"{severities[severity]} {severity}" for severity in SEVERITIES if severities[severity]
        )
        self._console.print(
            f"[bold]{planted} planted[/]: "
            f"[green]{comparison.count('found')} found[/] ({mended} with the very words that were said), "
            f"[yellow]{comparison.count('noticed')} noticed for another reason[/], "
            f"[red]{comparison.count('missed')} missed[/]. "
            f"[bold]{len(comparison.for_nothing)} flagged for nothing[/]"
            f"{f' ({spread})' if spread else ''} in {segments} segments.",
            soft_wrap=True,
        )

    def _words(self, raised: RaisedFlag) -> Text:
        return words_concerned(raised, brackets=not self._console.is_terminal)


def words_concerned(raised: RaisedFlag, *, brackets: bool) -> Text:
    """The flagged words with some context; they are highlighted, or stand in brackets."""
    if raised.flag.span is None:
        return Text(_shortened(raised.text, 2 * CONTEXT_CHARACTERS))
    start, end = raised.flag.span
    before = _tail(raised.text[:start], CONTEXT_CHARACTERS)
    after = _shortened(raised.text[end:], CONTEXT_CHARACTERS)
    words = f"[{raised.text[start:end]}]" if brackets else raised.text[start:end]
    return Text.assemble((before, "dim"), (words, "bold reverse"), (after, "dim"))


def clock(seconds: float | None) -> str:
    """Minutes and seconds into the call."""
    if seconds is None:
        return "--:--"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:02}:{rest:02}"


def _most_urgent_first(summary: Mapping[str, Any]) -> tuple[int, float, str]:
    urgency = list(reversed(_RECOMMENDATION_STYLES)).index(summary["recommendation"])
    return urgency, -summary["risk"], summary["call_id"]


def _flag_table(*, show_header: bool) -> Table:
    table = Table(box=None, show_header=show_header, expand=True, header_style="bold", padding=(0, 1, 0, 0))
    for column in _FLAG_COLUMNS:
        table.add_column(column.name, width=column.width, ratio=column.ratio, overflow="fold")
    return table


def _spread(counts: Mapping[Severity, int]) -> str:
    return ", ".join(f"{counts[severity]} {severity}" for severity in SEVERITIES if counts.get(severity))


def _flagged_as(result: Result) -> list[str]:
    flags = [raised.flag for raised in (*result.naming, *result.beside)]
    suggested = {flag.id: f" ({flag.suggestion}?)" if flag.suggestion else "" for flag in flags}
    return list(dict.fromkeys(f"{flag.type.replace('_', ' ')}{suggested[flag.id]}" for flag in flags))


def _number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _shortened(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[: length - 1].rsplit(' ', 1)[0]}…"


def _tail(text: str, length: int) -> str:
    return text if len(text) <= length else f"…{text[-length + 1 :].split(' ', 1)[-1]}"
