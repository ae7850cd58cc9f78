"""Grammar: words that no speaker of English puts together.

The published form counts errors, at a tenth of the score each, medical terms exempt. Speech is full of what written
grammar calls errors, and bare transcripts have no punctuation, so this is a weak signal and off unless asked for; only
a few sure patterns count, read after stammers and hesitations are left out.
"""

from collections.abc import Iterator

from service.dialogue.terms import TermMatcher
from service.dialogue.wording import Wording, wording
from service.grammar.errors import errors_in
from service.moment import Moment
from service.signals.base import Finding, Measuring, absent
from streams.messages import Evidence, SignalReading

ERROR_COST = 0.1
"""What each error costs the score."""


class Grammar:
    """Grammar errors outside medical terms. There is one form only: the published one.

    Args:
        matcher: Finds clinical terms.
    """

    name = "grammar"
    readings = ("grammar", "grammar_simple")

    def __init__(self, matcher: TermMatcher) -> None:
        self._matcher = matcher

    def measure(self, moment: Moment) -> Measuring:
        """Value: errors in the segment."""
        yield from ()
        said = wording(moment.line.tokens)
        if not said.words:
            return absent(self.readings, "no_words")
        evidence = tuple(self._evidence(said))
        count = len(evidence)
        reading = SignalReading(float(count), max(0.0, 1.0 - ERROR_COST * count), evidence)
        return Finding(
            readings=dict.fromkeys(self.readings, reading), features={"grammar_errors": float(count)}
        )

    def _evidence(self, said: Wording) -> Iterator[Evidence]:
        errors = list(errors_in(said.words))
        if not errors:
            return
        exempt = {
            place for match in self._matcher.match(said.words) for place in range(match.first, match.last + 1)
        }
        for error in errors:
            if exempt.isdisjoint((error.first, error.last)):
                yield Evidence(said.span(error.first, error.last), error.reason, ERROR_COST)
