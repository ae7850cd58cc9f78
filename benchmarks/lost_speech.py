"""How well lost speech is noticed: cases made by rule from recorded calls, each with one stretch of speech lost.

    python -m benchmarks.lost_speech [--calls FOLDER] [--half development|kept] [--show]

Every rule goes by the punctuation and the times of the human transcript, which the monitor is not shown: it reads
bare text, as a recogniser would write it. Nothing is drawn at random. Up to `PER_CALL` cases of each kind are taken
from each call, spread evenly over it. Calls alternate between the two halves in the order of their names.

answer: all that the patient says between a clinician's question and the clinician's next words is gone. Questions
    about names, the connection or consent are left out.
cut: the end of a patient's turn is gone from the middle of a phrase on: what is left ends with a word that needs
    another, and its segment ends with it, since recognisers end a segment at its last word.
text: a patient's segment comes without its text; its times stay.
cut_anywhere: as `cut`, but after any word that no punctuation follows.
stretch: all that the patient says between two lines of the clinician's, of which the first asks nothing, is gone.

The last two leave little but silence; the aim, a recall of 0.9 at two flags per call-hour, is set for the first three.
A case is found if more flags are raised at the loss and in the lines after it than there in the untouched call.
Flags on the untouched calls count as false, except those about lines where the transcriber marked speech as
unintelligible: words are missing there in truth.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

import orjson

from benchmarks.calls import RECORDED_CALLS
from service.composition import clinical_terms, new_ledger, open_models
from service.monitor import Monitor
from service.risk import load_risk_model
from service.settings import Settings
from service.signals.dialogue_gaps import DialogueGaps
from streams.decoding import Limits, decode
from streams.messages import Assessment, Flag, Segment

HALVES: Final = ("development", "kept")
Kind = Literal["answer", "cut", "text", "cut_anywhere", "stretch"]

AIMED_AT: Final[tuple[Kind, ...]] = ("answer", "cut", "text")
PER_CALL: Final = 3
LINES_BEFORE, LINES_AFTER = 14, 2
"""What of the call a case shows the monitor around what was lost."""

_OPENING_LINES = 6
_SHORTEST_TURN = 6
_LEFT_AT_LEAST, _LOST_AT_LEAST = 3, 3
_NOT_CLINICAL = re.compile(
    r"\b(names?|birth|address|hear|see me|hello|speak|talk|make sense|sound|questions|happy|"
    r"sorry|pardon|(?:all ?right|okay|ok|yeah|right|correct))\b\W*\?|\b(?:name|date of birth|address|hear me)\b",
    re.IGNORECASE,
)
_NEEDS_ANOTHER: Final = frozenset(
    "a an the my your his her their our this of to for from with in on at by about like into and but or because if "
    "when that which i he she they we it i'm i've it's is was are were am have has had been be can could would "
    "should will really very quite some any more".split()
)
_WORD = re.compile(r"\S+")
_HESITATION = re.compile(r"^(?:u+[hm]+|e+r+m*|m+|h+m+|a+h+)[.,]?$", re.IGNORECASE)


class Said(NamedTuple):
    """A line of the human transcript; `unclear` where the transcriber did not understand all of it."""

    segment: Segment
    unclear: bool


Call = tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A stretch of a call with one loss, and the same stretch untouched.

    Attributes:
        lost: The words that were.
        place: Sequence of the segment at or after the loss, in `altered` and in `untouched`.
    """

    kind: Kind
    lost: str = field(repr=False)
    place: tuple[int, int]
    altered: tuple[Segment, ...] = field(repr=False)
    untouched: tuple[Segment, ...] = field(repr=False)


def read_calls(folder: Path) -> list[Call]:
    """Calls in the order of their names."""
    return [tuple(_said(file)) for file in sorted(folder.glob("*.jsonl"))]


def _said(file: Path) -> Iterator[Said]:
    for line in file.read_bytes().splitlines():
        message = decode(line, Limits()).message
        if isinstance(message, Segment):
            yield Said(message, bool(orjson.loads(line).get("unclear")))


def build_cases(call: Call) -> list[Case]:
    """All cases of one call, by kind."""
    made = sorted((*_answers_and_stretches(call), *_cuts(call), *_texts(call)), key=lambda case: case.kind)
    return [case for _, cases in groupby(made, key=lambda case: case.kind) for case in _spread(list(cases))]


def _spread(cases: Sequence[Case]) -> list[Case]:
    count = min(PER_CALL, len(cases))
    return [cases[(2 * at + 1) * len(cases) // (2 * count)] for at in range(count)]


def _turns(call: Call) -> Iterator[tuple[int, int]]:
    """Where the patient's turns begin and end (exclusive): from one line of the clinician's to the next.

    All of these lines are clear.
    """
    for at in range(_OPENING_LINES, len(call)):
        if call[at].segment.speaker != "patient" or call[at - 1].segment.speaker != "clinician":
            continue
        end = at
        while end < len(call) and call[end].segment.speaker == "patient":
            end += 1
        clear = not any(said.unclear for said in call[at - 1 : end + 1])
        if clear and end < len(call) and call[end].segment.speaker == "clinician":
            yield at, end


def _answers_and_stretches(call: Call) -> Iterator[Case]:
    for start, end in _turns(call):
        asked = call[start - 1].segment.text.rstrip()
        words = sum(len(_words(said.segment.text)) for said in call[start:end])
        if asked.endswith("?") and not _NOT_CLINICAL.search(asked) and words:
            yield _case("answer", call, start, end, ())
        elif "?" not in asked and words >= _SHORTEST_TURN:
            yield _case("stretch", call, start, end, ())


def _cuts(call: Call) -> Iterator[Case]:
    for _start, end in _turns(call):
        last = call[end - 1].segment
        for kind in ("cut", "cut_anywhere"):
            at = _place_to_cut(last.text, anywhere=kind == "cut_anywhere")
            if at is not None and last.start is not None and last.end is not None:
                spoken = last.start + (last.end - last.start) * at / len(last.text)
                left = replace(last, text=last.text[:at], end=spoken)
                yield _case(kind, call, end - 1, end, (left,))


def _texts(call: Call) -> Iterator[Case]:
    for start, _end in _turns(call):
        if len(_words(call[start].segment.text)) >= _LOST_AT_LEAST:
            yield _case("text", call, start, start + 1, (replace(call[start].segment, text=""),))


def _place_to_cut(text: str, *, anywhere: bool) -> int | None:
    """Where to cut, nearest to the middle: after a word that no punctuation follows, and that needs another."""
    words = list(_WORD.finditer(text))
    places = [
        word.end()
        for word in words[_LEFT_AT_LEAST - 1 : len(words) - _LOST_AT_LEAST]
        if word.group()[-1].isalpha()
        and not _HESITATION.match(word.group())
        and (anywhere or word.group().lower() in _NEEDS_ANOTHER)
    ]
    return min(places, key=lambda place: abs(place - len(text) / 2), default=None)


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalpha, word)) and not _HESITATION.match(word)]


def _case(kind: Kind, call: Call, start: int, end: int, instead: Sequence[Segment]) -> Case:
    segments = [said.segment for said in call]
    first = max(0, start - LINES_BEFORE)
    before, gone, after = segments[first:start], segments[start:end], segments[end : end + LINES_AFTER]
    place = len(before)
    return Case(
        kind=kind,
        lost=" / ".join(one.text for one in gone),
        place=(place, place + (0 if instead else len(gone))),
        altered=_as_recognised((*before, *instead, *after)),
        untouched=_as_recognised((*before, *gone, *after)),
    )


def _as_recognised(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Numbered anew, in bare words: neither a missing number nor punctuation gives the loss away."""
    return tuple(
        replace(segment, sequence=at, text=bare_text(segment.text)) for at, segment in enumerate(segments)
    )


def bare_text(text: str) -> str:
    """Lower case, no punctuation."""
    return " ".join(re.sub(r"[^a-z0-9' ]+", " ", text.lower().replace("\u2019", "'")).split())


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of some calls.

    Attributes:
        found: Each case, and whether it was found.
        flags: Every flag raised on the calls as they were, where the transcriber understood all.
        hours: How long these calls last.
    """

    found: list[tuple[Case, bool]] = field(repr=False)
    flags: list[Flag] = field(repr=False)
    hours: float

    def recall(self, kinds: Sequence[Kind]) -> str:
        """Cases of some kinds that were found, of all, and their share."""
        of_kind = [found for case, found in self.found if case.kind in kinds]
        return f"{sum(of_kind):3d} / {len(of_kind):3d} = {sum(of_kind) / max(1, len(of_kind)):.3f}"


def measure(calls: Iterable[Call], monitor: Monitor) -> Measured:
    """Runs all cases, and the calls as they were, through a monitor that has only the signal in question."""
    found, flags, seconds = [], [], 0.0
    for call in calls:
        found += [(case, _found(monitor, case)) for case in build_cases(call)]
        unclear = {at for at, said in enumerate(call) if said.unclear}
        assessments = _observe(monitor, _as_recognised([said.segment for said in call]))
        flags += [
            flag
            for assessment in assessments
            for flag in assessment.flags
            if unclear.isdisjoint((flag.sequence, *(one.sequence for one in flag.related)))
        ]
        seconds += max(said.segment.end or 0.0 for said in call)
    return Measured(found, flags, seconds / 3600)


def _found(monitor: Monitor, case: Case) -> bool:
    """Whether the loss raises a flag that is not raised at the same place of the untouched call."""
    altered, untouched = (
        sum(len(assessment.flags) for assessment in _observe(monitor, segments)[place:])
        for segments, place in zip((case.altered, case.untouched), case.place, strict=True)
    )
    return altered > untouched


def _observe(monitor: Monitor, segments: Sequence[Segment]) -> tuple[Assessment, ...]:
    assessments = monitor.observe(segments, now=0.0).assessments
    monitor.forget([segments[0].call_id])
    return assessments


def gaps_monitor() -> Monitor:
    """A monitor that looks for gaps only, with the settings of the environment."""
    settings = Settings()
    models, monitor = open_models(settings.models), settings.monitor
    return Monitor(
        settings=monitor,
        signals=(DialogueGaps(monitor.gaps, clinical_terms(models.lexicon)),),
        answerers=models.answerers(),
        risk_model=load_risk_model(None),
        new_ledger=partial(new_ledger, monitor, models.lexicon),
    )


def main() -> None:
    """Prints recall by kind and flags per call-hour, of each half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=Path, default=RECORDED_CALLS)
    parser.add_argument("--half", choices=HALVES, action="append", help="only this one")
    parser.add_argument("--show", action="store_true", help="each miss, and each flag on the untouched calls")
    arguments = parser.parse_args()
    calls, monitor = read_calls(arguments.calls), gaps_monitor()
    for half in arguments.half or HALVES:
        of_half = calls[HALVES.index(half) :: 2]
        for line in report(half, measure(of_half, monitor), show=arguments.show):
            sys.stdout.write(line + "\n")


def report(half: str, measured: Measured, *, show: bool) -> Iterator[str]:
    """The lines to print of one half; with `show`, each miss and each flag on the untouched calls."""
    yield f"{half}: {measured.hours:.2f} call-hours"
    for kind in get_args(Kind):
        yield f"  {kind:14s} recall {measured.recall((kind,))}"
    yield f"  {'aimed at':14s} recall {measured.recall(AIMED_AT)}"
    for flag_type, count in Counter(flag.type for flag in measured.flags).most_common():
        yield f"  {flag_type}: {count / measured.hours:.2f} an hour on the untouched calls"
    yield f"  all flags: {len(measured.flags) / measured.hours:.2f} an hour on the untouched calls"
    if not show:
        return
    for case, found in measured.found:
        if not found:
            around = " | ".join(segment.text[-60:] for segment in case.altered[case.place[0] - 1 :])
            yield f"  missed {case.kind} {case.altered[0].call_id}: {around} | lost: {case.lost}"
    for flag in measured.flags:
        yield f"  flag {flag.call_id} {flag.sequence} {flag.type} {flag.reason}: {flag.explanation}"


if __name__ == "__main__":
    main()
