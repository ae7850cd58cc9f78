"""Contradiction: what is said here disagrees with what was said before, or with itself.

The simple form looks for a term that stands affirmed in one line and negated in another. The better form takes
the conflicts of the call's assertion ledger, which knows who answered what, and lets the classifier confirm those
that the words alone do not prove. What the ledger finds missing in a line ("it started ago") is proposed beside it,
as `lost_words`.
"""

from collections.abc import Generator, Sequence
from typing import Any

from models.interfaces import ModelFailure
from service.dialogue.conflicts import LOST_WORDS, Conflict
from service.dialogue.features import features_of
from service.dialogue.lines import Line
from service.dialogue.polarities import named_words, polarities_in
from service.dialogue.terms import TermMatcher
from service.moment import Moment
from service.monitor_settings import ContradictionSettings
from service.polarity.doubts import NO_DOUBTS, PolarityDoubts, polarity_doubts
from service.signals.base import (
    FAILED,
    Ask,
    Finding,
    FlagType,
    Measuring,
    Proposal,
    absent,
    ask_contradiction,
)
from streams.messages import Evidence, SignalReading

CONTRADICTION_COST = 0.2
"""What each contradiction costs the simple form's score."""


class Contradiction:
    """Terms affirmed and negated (simple), confirmed conflicts with the call's assertion ledger, flipped polarity.

    Args:
        settings: Bounds and thresholds.
        matcher: Finds clinical terms.
        classifier_available: Whether an NLI model answers. Without one the rules' own strength decides, against
            a threshold of its own.
    """

    name = "contradiction"
    readings = ("contradiction", "contradiction_simple")

    def __init__(
        self, settings: ContradictionSettings, matcher: TermMatcher, *, classifier_available: bool = True
    ) -> None:
        self._settings = settings
        self._matcher = matcher
        self._classifier_available = classifier_available

    def measure(self, moment: Moment) -> Measuring:
        """Value: strength of the strongest confirmed conflict, 0 if none; the simple form's: terms contradicted."""
        if moment.conflicts is None:
            return absent(self.readings, FAILED)
        lost = [conflict for conflict in moment.conflicts if conflict.kind in LOST_WORDS]
        doubts = yield from self._doubts(moment)
        confirmed = yield from self._confirmed(
            [conflict for conflict in moment.conflicts if conflict.kind not in LOST_WORDS]
        )
        value = _strongest(confirmed)
        evidence = tuple(Evidence(conflict.span, conflict.kind, conflict.strength) for conflict in confirmed)
        return Finding(
            readings={
                "contradiction": SignalReading(value, 1.0 - value, evidence),
                "contradiction_simple": simple_reading(moment.line, moment.history, self._matcher),
            },
            proposals=(
                *(_proposal("contradiction", conflict) for conflict in confirmed),
                *(_proposal("lost_words", conflict) for conflict in lost),
                *doubts.proposals,
            ),
            features={"conflict": value, "lost_words": _strongest(lost), **doubts.features}
            | ({} if moment.reading is None else features_of(moment.reading)),
        )

    def _doubts(self, moment: Moment) -> Generator[Ask, Any, PolarityDoubts]:
        """What speaks for the opposite of what was written; without a language model nothing does."""
        if not moment.line.spoken:
            return NO_DOUBTS
        try:
            return (yield from polarity_doubts(moment, self._settings.polarity, self._matcher))
        except ModelFailure:
            return NO_DOUBTS

    def _confirmed(self, conflicts: Sequence[Conflict]) -> Generator[Ask, Any, list[Conflict]]:
        """The conflicts that stand: proved by the words, or confirmed by the classifier within its budget."""
        proved = [conflict for conflict in conflicts if not conflict.confirm]
        open_conflicts = sorted(
            (conflict for conflict in conflicts if conflict.confirm), key=lambda conflict: -conflict.strength
        )[: self._settings.pairs_per_segment]
        if not open_conflicts:
            return proved
        if self._classifier_available:
            try:
                pairs = [(conflict.premise, conflict.hypothesis) for conflict in open_conflicts]
                answers = yield from ask_contradiction(pairs)
            except ModelFailure:
                pass
            else:
                sure = self._settings.confirmed
                return proved + [
                    conflict for conflict, p in zip(open_conflicts, answers, strict=True) if p >= sure
                ]
        return proved + [
            conflict
            for conflict in open_conflicts
            if conflict.strength >= self._settings.unconfirmed_strength
        ]


def simple_reading(line: Line, history: Sequence[Line], matcher: TermMatcher) -> SignalReading:
    """The simple form: terms affirmed here and negated in an earlier line, or the other way round."""
    words = named_words(line, matcher)
    here = polarities_in(line, matcher) if words else frozenset()
    contradicted: set[str] = set()
    for earlier in history if here else ():
        if any(token.text in words for token in earlier.tokens):
            there = polarities_in(earlier, matcher)
            contradicted.update(name for name, denied in here if (name, not denied) in there)
    count = len(contradicted)
    return SignalReading(float(count), max(1.0 - CONTRADICTION_COST * count, 0.0))


def _strongest(conflicts: Sequence[Conflict]) -> float:
    return max((conflict.strength for conflict in conflicts), default=0.0)


def _proposal(flag_type: FlagType, conflict: Conflict) -> Proposal:
    return Proposal(
        type=flag_type,
        severity=conflict.severity,
        span=conflict.span,
        reason=conflict.kind,
        explanation=conflict.explanation,
        subject=conflict.subject,
        strength=conflict.strength,
        related=() if conflict.earlier is None else (conflict.earlier,),
    )
