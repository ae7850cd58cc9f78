"""Short invented dialogues for tests: `clinician` and `patient` lines by turns of text."""

import json
from collections.abc import Sequence
from pathlib import Path

from service.dialogue.ledger import AssertionLedger, Conflict
from service.dialogue.lines import Line
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.terms import FirstMatcher, PhraseMatcher
from service.dialogue.tokens import tokenise
from streams.messages import Speaker

DRUGS = PhraseMatcher(
    {name: ("drug", name) for name in ("hydroxyzine", "hydralazine", "ventolin", "salbutamol", "ibuprofen")}
)
MATCHER = FirstMatcher((spoken_terms(), DRUGS))
_SPEAKERS: dict[str, Speaker] = {"C": "clinician", "P": "patient", "A": "agent", "U": "unknown"}


def lines_of(*said: str) -> list[Line]:
    """Lines from texts that begin with their speaker's letter: "C: any fever?"."""
    found = []
    for sequence, text in enumerate(said):
        speaker, _, words = text.partition(": ")
        found.append(Line(sequence, _SPEAKERS[speaker], tokenise(words)))
    return found


def conflicts_of(*said: str) -> dict[int, tuple[Conflict, ...]]:
    """Conflicts by the sequence at which they show; lines without any are left out."""
    ledger = AssertionLedger(MATCHER)
    lines = lines_of(*said)
    found = {
        line.sequence: ledger.compare(ledger.read(line, lines[:at]), lines[:at])
        for at, line in enumerate(lines)
    }
    return {sequence: conflicts for sequence, conflicts in found.items() if conflicts}


def kinds_of(*said: str) -> list[tuple[int, str, str]]:
    """Sequence, kind and subject of every conflict."""
    return [
        (sequence, conflict.kind, conflict.subject)
        for sequence, conflicts in conflicts_of(*said).items()
        for conflict in conflicts
    ]


def bare(said: Sequence[str]) -> list[str]:
    """The same words as a recogniser without formatting writes them."""
    kept = []
    for text in said:
        speaker, _, words = text.partition(": ")
        kept.append(f"{speaker}: {' '.join(token.text for token in tokenise(words))}")
    return kept


def recorded_calls(folder: Path) -> list[list[Line]]:
    """The lines of each recorded call of a folder, in order, with their times."""
    return [
        [
            Line(row["sequence"], row["speaker"], tokenise(row["text"]), row.get("start"), row.get("end"))
            for row in map(json.loads, path.read_text("utf-8").splitlines())
        ]
        for path in sorted(folder.glob("*.jsonl"))
    ]
