"""Compares readings of a line: as it was transcribed, and with a term put in.

Both readings begin with the same words, which are equally probable in both; and what is said long after hardly
depends on one word. So only the words from the change on are scored, up to a bound. And the words after it seldom make
up for a term that is far less probable in its place than the words that stand there: the term is compared alone first,
in a token or two.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from models.interfaces import TokenScores
from service.dialogue.lines import scored_text, unended_text
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


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a line reads differently with a candidate's term in it.

    Attributes:
        shared: The line up to the change, as it is scored.
        text: What is scored from there on: the term and the words after it.
        end: Characters of the line's scored text up to the last one that is compared.
    """

    shared: str = field(repr=False)
    text: str = field(repr=False)
    end: int

    def nats_of(self, line: TokenScores) -> float:
        """Negative log-likelihood of what the line says in this place, nats.

        Args:
            line: Scores of `scored_text` of the whole line.
        """
        starts = line.spans[:, 0]
        return float(line.nll[(starts >= len(self.shared)) & (starts < self.end)].sum())


def reading_with(words: Sequence[Token], candidate: Candidate, following_words: int) -> Reading:
    """The line with the candidate's term in place of its words.

    Args:
        words: The line's words.
        candidate: What is put in, and where.
        following_words: Words after the change that are compared too.
    """
    put_in = tuple(Token(word, 0, 0) for word in candidate.term.split())
    compared = candidate.last + 1 + following_words
    goes_on = compared < len(words)
    after = words[candidate.last + 1 : compared]
    text = (unended_text if goes_on else scored_text)((*put_in, *after))
    shared = unended_text(words[: candidate.first])
    end = len(unended_text(words[:compared])) if goes_on else sys.maxsize
    return Reading(shared, text, end)


def term_alone(words: Sequence[Token], candidate: Candidate) -> Reading:
    """The candidate's term against the words that it replaces, whatever comes after them."""
    put_in = tuple(Token(word, 0, 0) for word in candidate.term.split())
    shared = unended_text(words[: candidate.first])
    return Reading(shared, unended_text(put_in), len(unended_text(words[: candidate.last + 1])))


def weigh(candidate: Candidate, nats: float, settings: RepairSettings) -> Repair:
    """A repair from how many nats the line's negative log-likelihood fell with it."""
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
