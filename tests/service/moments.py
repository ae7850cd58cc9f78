"""Moments of invented calls, and findings of signals at them, for tests."""

from collections.abc import Mapping, Sequence

from models.fakes import FakeContradictionClassifier, FakeEmbedder, FakeLanguageModel
from models.lexicon import Lexicon
from service.dialogue.ledger import Conflict
from service.dialogue.lines import Line
from service.dialogue.reading import read_line
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.tokens import tokenise
from service.moment import Moment
from service.pace import Pace
from service.rounds import Answerer, run_rounds
from service.signals.base import Finding, ModelName, Signal
from streams.messages import Segment, Speaker

FAKE_ANSWERERS: Mapping[ModelName, Answerer] = {
    "language_model": FakeLanguageModel().score,
    "embedding": FakeEmbedder().embed,
    "contradiction": FakeContradictionClassifier().contradiction,
}

LEXICON = Lexicon(
    {
        "date": "2026-01-01",
        "sources": [],
        "suggested": ["ibuprofen", "paracetamol", "nausea", "headache"],
        "terms": {
            "ibuprofen": "drug",
            "paracetamol": "drug",
            "hydroxyzine": "drug",
            "hydralazine": "drug",
            "nausea": "symptom",
            "headache": "symptom",
            "fever": "symptom",
        },
        "sounds": {},
        "commonness": {"a": 70, "and": 70, "break": 50, "days": 50, "for": 70, "i": 70, "my": 60, "no": 60},
        "confusable": [["hydroxyzine", "hydralazine"]],
    }
)
"""A few terms; the words' sounds follow from their spelling."""

Said = tuple[Speaker, str]


def line(sequence: int, said: Said) -> Line:
    speaker, text = said
    return Line(sequence, speaker, tokenise(text))


def moment_of(
    text: str,
    before: Sequence[Said] = (),
    *,
    speaker: Speaker = "patient",
    start: float | None = None,
    end: float | None = None,
    pace: Pace | None = None,
    conflicts: tuple[Conflict, ...] = (),
) -> Moment:
    """The moment at which `text` is said after `before`."""
    history = tuple(line(sequence, said) for sequence, said in enumerate(before))
    segment = Segment(call_id="call", sequence=len(history), speaker=speaker, text=text, start=start, end=end)
    present = Line(len(history), speaker, tokenise(text), start, end)
    return Moment(
        segment=segment,
        line=present,
        context=history,
        history=history,
        reading=read_line(present, history, spoken_terms()),
        conflicts=conflicts,
        pace=pace or Pace(),
    )


def finding_of(
    signal: Signal, moment: Moment, answerers: Mapping[ModelName, Answerer] = FAKE_ANSWERERS
) -> Finding:
    """What a signal finds at a moment; fails with the exception that ended it."""
    (outcome,) = run_rounds([signal.measure(moment)], answerers)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def no_commonness(_: str) -> None:
    """For signals that ask how common a word is: none is listed."""
