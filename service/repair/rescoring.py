"""Compares readings of a line: as it was transcribed, and with a term put in."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.dialogue.lines import scored_text
from service.dialogue.tokens import Token
from service.repair.candidates import Candidate
from service.repair.settings import RepairSettings


@dataclass(frozen=True, slots=True)
class Repair:
    """A candidate that the language model has compared.

    Attributes:
        gain: How much more probable the line becomes, nats, less the candidate's price.
        convincing: Whether that is enough for a person to look.
    """

    candidate: Candidate
    gain: float
    convincing: bool


def variant_text(words: Sequence[Token], candidate: Candidate) -> str:
    """The scored text of the line with the candidate's term in place of its words."""
    put_in = (Token(word, 0, 0) for word in candidate.term.split())
    return scored_text((*words[: candidate.first], *put_in, *words[candidate.last + 1 :]))


def weigh(candidate: Candidate, nats: float, settings: RepairSettings) -> Repair:
    """A repair from how many nats the line's total negative log-likelihood fell with it."""
    gain = nats - candidate.price
    enough = settings.confusable_gain if candidate.kind == "confusable" else settings.flag_gain
    return Repair(candidate, gain, gain >= enough)


def best_repairs(repairs: Sequence[Repair]) -> list[Repair]:
    """The convincing repairs, the best of those that share words, best first."""
    chosen: list[Repair] = []
    for repair in sorted(repairs, key=lambda one: -one.gain):
        if repair.convincing and not any(_overlap(repair.candidate, other.candidate) for other in chosen):
            chosen.append(repair)
    return chosen


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.first <= other.last and other.first <= one.last
